"""Training a network, in plain NumPy: forward, backward, Adam.

The loss of an example is that of AlphaZero (Silver et al., "A general reinforcement learning algorithm that masters
chess, shogi, and Go through self-play", 2018): squared error of the value, cross entropy of the policy, a little decay
of the weights. Beside them an auxiliary head, for training only, predicts features of the end of the game (as in Wu,
"Accelerating self-play learning in Go", 2019, where it is ownership): what helps to predict these helps the value.

Batches are dense matrices: a thousand positions of a few hundred inputs take a few milliseconds. The steps are Adam's
(Kingma and Ba, 2015), with a learning rate that falls to a tenth along a cosine in each generation.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from podium.search.network import layout, size_of

Array = Any

EPSILON = 1e-8
MOMENTUM, SECOND_MOMENTUM = 0.9, 0.999


@dataclass(frozen=True)
class Targets:
    """The targets of a batch of positions."""

    values: Array  # [batch] in [-1, 1], for the side to move
    policies: Array  # [batch, moves], each row sums to 1, or to 0 where only the value is learnt
    legal: Array  # [batch, moves] of bool
    auxiliaries: Array  # [batch, auxiliaries] in 0 .. 1


@dataclass(frozen=True)
class Losses:
    """The mean losses of a batch."""

    value: float
    policy: float
    auxiliary: float


@dataclass
class Model:
    """The weights of a network and of its auxiliary head, as one row of 32-bit floats, and the state of Adam."""

    shape: tuple[int, ...]  # inputs, units of each hidden layer, moves
    auxiliaries: int
    weights: Array
    momentum: Array = field(default_factory=lambda: np.zeros(0, np.float32))
    second: Array = field(default_factory=lambda: np.zeros(0, np.float32))
    steps: int = 0

    def __post_init__(self) -> None:
        if not self.momentum.size:
            self.momentum, self.second = np.zeros_like(self.weights), np.zeros_like(self.weights)

    @property
    def network_weights(self) -> Array:
        """The weights that `podium.search.network` evaluates: all but those of the auxiliary head."""
        return self.weights[: size_of(self.shape)]

    def parts(self, row: Array) -> dict[str, Array]:
        """The parts of a row of weights or of gradients by name of the layer, as views."""
        views = {name: row[at : at + int(np.prod(part))].reshape(part) for name, at, part in layout(self.shape)}
        at, units = size_of(self.shape), self.shape[-2]
        views["auxiliary_w"] = row[at : at + units * self.auxiliaries].reshape(units, self.auxiliaries)
        views["auxiliary_b"] = row[at + units * self.auxiliaries :]
        return views


def new_model(shape: tuple[int, ...], auxiliaries: int, seed: int, active: int) -> Model:
    """Random weights (He et al. 2015, for `active` inputs that are usually on); those of the heads are near zero."""
    random = np.random.default_rng(seed)
    size = size_of(shape) + (shape[-2] + 1) * auxiliaries
    model = Model(shape, auxiliaries, np.zeros(size, np.float32))
    for name, part in model.parts(model.weights).items():
        if part.ndim == 2 and name.startswith("w"):
            inputs = active if name == "w0" else part.shape[0]
            part[:] = random.normal(0.0, (2.0 / inputs) ** 0.5, part.shape)
        elif name in ("value_w", "policy_w", "auxiliary_w"):
            part[:] = random.normal(0.0, 0.1 * (1.0 / part.shape[0]) ** 0.5, part.shape)
    return model


def dense(indices: Array, inputs: int) -> Array:
    """Rows of indices as a matrix of zeros and ones; negative indices are ignored."""
    matrix = np.zeros((len(indices), inputs + 1), np.float32)
    matrix[np.arange(len(indices))[:, None], indices] = 1.0  # -1 is the last column
    return matrix[:, :inputs]


def forward(model: Model, inputs: Array) -> tuple[list[Array], Array, Array, Array]:
    """The activations of all layers for a batch, the values, and the logits of policy and auxiliary targets."""
    parts = model.parts(model.weights)
    layers = [inputs]
    for layer in range(len(model.shape) - 2):
        layers.append(np.maximum(layers[-1] @ parts[f"w{layer}"] + parts[f"b{layer}"], 0.0))
    last = layers[-1]
    values = np.tanh(last @ parts["value_w"] + parts["value_b"][0])
    return (
        layers,
        values,
        last @ parts["policy_w"] + parts["policy_b"],
        last @ parts["auxiliary_w"] + parts["auxiliary_b"],
    )


def softmax(logits: Array, legal: Array) -> Array:
    """The probabilities of the legal moves, from logits."""
    logits = np.where(legal, logits, -np.inf)
    scaled = np.exp(logits - logits.max(axis=1, keepdims=True))
    return scaled / scaled.sum(axis=1, keepdims=True)


def gradient(
    model: Model, inputs: Array, targets: Targets, value_weight: float = 1.0, auxiliary_weight: float = 0.0
) -> tuple[Array, Losses]:
    """The gradient of the mean loss of a batch, laid out like the weights, and the losses."""
    batch = len(inputs)
    layers, values, logits, auxiliary = forward(model, inputs)
    probabilities = softmax(logits, targets.legal)
    predicted = 1.0 / (1.0 + np.exp(-auxiliary))
    learnt = targets.policies.sum(axis=1, keepdims=True)  # 0 where only the value is learnt
    losses = Losses(
        float(np.mean((values - targets.values) ** 2)),
        float(-np.sum(targets.policies * np.log(probabilities + 1e-12)) / max(1.0, float(learnt.sum()))),
        _cross_entropy(auxiliary, targets.auxiliaries, learnt),
    )
    row = np.zeros_like(model.weights)
    parts, weights = model.parts(row), model.parts(model.weights)
    last = layers[-1]
    to_value = value_weight * 2.0 / batch * (values - targets.values) * (1.0 - values**2)
    to_policy = (probabilities * learnt - targets.policies) / batch
    parts["value_w"][:], parts["value_b"][0] = last.T @ to_value, to_value.sum()
    parts["policy_w"][:], parts["policy_b"][:] = last.T @ to_policy, to_policy.sum(axis=0)
    back = to_value[:, None] * weights["value_w"] + to_policy @ weights["policy_w"].T
    if model.auxiliaries and auxiliary_weight:
        to_auxiliary = auxiliary_weight / (batch * model.auxiliaries) * learnt * (predicted - targets.auxiliaries)
        parts["auxiliary_w"][:], parts["auxiliary_b"][:] = last.T @ to_auxiliary, to_auxiliary.sum(axis=0)
        back += to_auxiliary @ weights["auxiliary_w"].T
    for layer in range(len(model.shape) - 3, -1, -1):
        back = back * (layers[layer + 1] > 0)
        parts[f"w{layer}"][:], parts[f"b{layer}"][:] = layers[layer].T @ back, back.sum(axis=0)
        if layer:
            back = back @ weights[f"w{layer}"].T
    return row, losses


def _cross_entropy(logits: Array, targets: Array, learnt: Array) -> float:
    """The mean binary cross entropy over the rows whose policy is learnt."""
    found = learnt * (np.logaddexp(0.0, logits) - targets * logits)
    return float(found.sum() / max(1.0, float(learnt.sum()) * logits.shape[1])) if logits.size else 0.0


def step(model: Model, row: Array, learning_rate: float, decay: float) -> None:
    """One step of Adam with decoupled weight decay (Loshchilov and Hutter 2019), in place."""
    model.steps += 1
    model.momentum += (1 - MOMENTUM) * (row - model.momentum)
    model.second += (1 - SECOND_MOMENTUM) * (row * row - model.second)
    first = model.momentum / (1 - MOMENTUM**model.steps)
    second = model.second / (1 - SECOND_MOMENTUM**model.steps)
    model.weights -= (learning_rate * (first / (np.sqrt(second) + EPSILON) + decay * model.weights)).astype(np.float32)


@dataclass(frozen=True)
class Schedule:
    """How to train: number of steps, batch size, learning rate, weights of the losses."""

    steps: int
    batch: int
    learning_rate: float
    decay: float = 1e-4
    value_weight: float = 1.0
    auxiliary_weight: float = 0.5


def train(
    model: Model,
    draw: Callable[[np.random.Generator, int], tuple[Array, Targets]],
    schedule: Schedule,
    seed: int,
    look: Callable[[int], None] = lambda steps: None,
) -> Losses:
    """Train on batches that `draw` makes; the mean losses of the last tenth of the steps.

    `look` is called with 1 after each step. The same seed and batches give the same weights.
    """
    random = np.random.default_rng(seed)
    tail = []
    for number in range(schedule.steps):
        inputs, targets = draw(random, schedule.batch)
        row, losses = gradient(model, inputs, targets, schedule.value_weight, schedule.auxiliary_weight)
        learning_rate = schedule.learning_rate * (0.55 + 0.45 * np.cos(np.pi * number / schedule.steps))
        step(model, row, learning_rate, schedule.decay)
        if number >= schedule.steps * 9 // 10:
            tail.append(losses)
        look(1)
    return Losses(*(float(np.mean([getattr(one, name) for one in tail])) for name in ("value", "policy", "auxiliary")))
