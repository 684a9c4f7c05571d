"""A small neural network inside the kernels: a value and a prior for each move, in about a microsecond.

The inputs are binary and given as the indices of the active ones. So the first layer is a sum of rows of its weights,
and inactive inputs cost nothing (as in NNUE). Hidden layers are dense with rectified linear units, the value is a tanh
in [-1, 1] for the side to move, the policy a softmax over the legal moves. The shape is data: any number of layers of
any width, read from a file. Training is in `podium.lab.learn.training`. What a network asks of a game: `features`, and
optionally `value_sign`. An evaluation:
 1. The first layer: the sum of the rows of the active inputs.
 2. The other hidden layers: the sums of the rows of units that are not zero.
 3. The two heads: the value, and the logits of all moves.

A network file (`.npz`) holds `shape` (inputs, units of each hidden layer, moves), `weights` (all of them in one row,
see `layout`) and `about` (JSON: its origin).
"""

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from tokenize import TokenError
from typing import Any, NamedTuple

import numpy as np

from podium.errors import PodiumError
from podium.kernel import inlined, kernel
from podium.model.hooks import features, value_sign
from podium.model.package_data import package_data
from podium.model.params import Parameter

MOST_LAYERS = 8
WIDEST = 4096

NETWORK = Parameter("network", "", "path of a network file made by podium train; empty: the one in the game's data")


class Network(NamedTuple):
    """The weights of a network and the buffers of an evaluation; each search owns its own."""

    shape: Any  # int64: inputs, units of each hidden layer, moves
    weights: Any  # float32: all layers, see `layout`
    inputs: Any  # int64: buffer for the indices of the active inputs
    units: Any  # float32 [2, widest]: a layer and the next
    rows: Any  # int64 [widest]: the units of a layer that are not zero
    logits: Any  # float32 [moves]
    value: Any  # float32 [1]


def layout(shape: Any) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """The parts of the row of weights: name, first index, shape.

    Layer by layer the matrix [from, to] and the biases; then the value's weights and bias, then the policy's.
    """
    *sizes, moves = (int(size) for size in shape)
    at = 0
    parts: list[tuple[str, tuple[int, ...]]] = []
    for layer, (size, following) in enumerate(pairwise(sizes)):
        parts += [(f"w{layer}", (size, following)), (f"b{layer}", (following,))]
    parts += [("value_w", (sizes[-1],)), ("value_b", (1,)), ("policy_w", (sizes[-1], moves)), ("policy_b", (moves,))]
    for name, part in parts:
        yield name, at, part
        at += int(np.prod(part))


def size_of(shape: Any) -> int:
    """The number of weights of a shape."""
    _, at, part = list(layout(shape))[-1]
    return at + int(np.prod(part))


def new_network(shape: Any, weights: Any) -> Network:
    """A network ready to evaluate."""
    shape = np.asarray(shape, np.int64)
    if weights.size != size_of(shape):
        raise ValueError(f"a network of shape {shape.tolist()} has {size_of(shape)} weights, not {weights.size}")
    return Network(
        shape=shape,
        weights=np.ascontiguousarray(weights, np.float32),
        inputs=np.zeros(int(shape[0]), np.int64),
        units=np.zeros((2, int(shape[1:].max())), np.float32),
        rows=np.zeros(int(shape[1:].max()), np.int64),
        logits=np.zeros(int(shape[-1]), np.float32),
        value=np.zeros(1, np.float32),
    )


def save_network(path: Path, shape: Any, weights: Any, about: Mapping[str, Any], exact: bool = True) -> None:
    """Write a network file atomically; `exact=False` stores float16, half the size, at no measured cost in strength."""
    unfinished = path.with_suffix(".unfinished.npz")
    text = np.array(json.dumps(about, sort_keys=True))
    np.savez_compressed(
        unfinished,
        shape=np.asarray(shape, np.int64),
        weights=np.asarray(weights, np.float32 if exact else np.float16),
        about=text,
    )
    unfinished.replace(path)


def load_network(path: Path) -> tuple[Network, dict[str, Any]]:
    """The network of a file, and its `about`."""
    try:
        with np.load(path, allow_pickle=False) as data:
            shape, weights, about = data["shape"], data["weights"], json.loads(str(data["about"]))
        if shape.ndim != 1 or not 3 <= shape.size <= MOST_LAYERS or shape.min() < 1 or shape.max() > WIDEST:
            raise ValueError(f"a shape of {shape.tolist()}")
        return new_network(shape, weights), about
    except FileNotFoundError:
        raise PodiumError(f"there is no network file {path}") from None
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile, zlib.error, TokenError) as error:
        raise PodiumError(f"{path} is not a network file: {error}") from None


def network_for(params: Any, package: str, inputs: int) -> Network:
    """The network that a bot's parameter `network` names, by default the one in the data of its game's package.

    PodiumError if it has another number of inputs than the game.
    """
    named = bytes(params.network).decode()
    path = Path(named) if named else package_data(package, "network.npz")
    network, _ = load_network(path)
    if network.shape[0] != inputs:
        raise PodiumError(f"{path} is a network with {network.shape[0]} inputs; the game has {inputs}")
    return network


def permute_network(network: Network, inputs: Any, moves: Any) -> Network:
    """The network that evaluates a position as the given one evaluates its image under a symmetry.

    The symmetry maps input i to `inputs[i]` and move m to `moves[m]`.
    """
    weights = network.weights.copy()
    for name, at, part in layout(network.shape):
        view = weights[at : at + int(np.prod(part))].reshape(part)
        if name == "w0":
            view[:] = view[inputs]
        elif name.startswith("policy"):
            view[:] = view[..., moves]
    return new_network(network.shape, weights)


@inlined
def add_rows(out: Any, weights: Any, matrix: int, width: int, rows: Any, count: int) -> None:
    """Add rows of a matrix to a vector, four at a time: fewer loads and stores.

    A matrix is a place in the weights and a width: `reshape` may raise an error, which needs Numba. Places are
    unsigned: an index that might be negative would keep the compiler from using vectors (several times slower).
    """
    fours = count - count % 4
    for i in range(0, fours, 4):
        one, two = place_of(matrix, width, rows[i]), place_of(matrix, width, rows[i + 1])
        three, four = place_of(matrix, width, rows[i + 2]), place_of(matrix, width, rows[i + 3])
        for unit in range(width):
            at = np.uint64(unit)
            first = weights[one + at] + weights[two + at]
            out[unit] += first + (weights[three + at] + weights[four + at])
    for i in range(fours, count):
        one = place_of(matrix, width, rows[i])
        for unit in range(width):
            at = np.uint64(unit)
            out[unit] += weights[one + at]


@inlined
def place_of(matrix: int, width: int, row: int) -> Any:
    """Where a row of a matrix begins."""
    return np.uint64(matrix + row * width)


@inlined
def add_active(out: Any, weights: Any, matrix: int, width: int, units: Any, size: int, rows: Any) -> None:
    """Add the rows of units that are not zero (about half), each multiplied by its unit; `rows` is a buffer."""
    count = 0
    for unit in range(size):
        if units[unit] > np.float32(0):
            rows[count] = unit
            count += 1
    fours = count - count % 4
    for i in range(0, fours, 4):
        a, b, c, d = units[rows[i]], units[rows[i + 1]], units[rows[i + 2]], units[rows[i + 3]]
        one, two = place_of(matrix, width, rows[i]), place_of(matrix, width, rows[i + 1])
        three, four = place_of(matrix, width, rows[i + 2]), place_of(matrix, width, rows[i + 3])
        for unit in range(width):
            at = np.uint64(unit)
            first = a * weights[one + at] + b * weights[two + at]
            out[unit] += first + (c * weights[three + at] + d * weights[four + at])
    for i in range(fours, count):
        one, a = place_of(matrix, width, rows[i]), units[rows[i]]
        for unit in range(width):
            at = np.uint64(unit)
            out[unit] += a * weights[one + at]


@inlined
def set_to(out: Any, weights: Any, start: int, size: int) -> None:
    """Copy weights into a vector."""
    for unit in range(size):
        out[unit] = weights[start + unit]


@inlined
def rectify(units: Any, size: int) -> None:
    """Rectified linear units: negative values become 0."""
    for unit in range(size):
        units[unit] = max(units[unit], np.float32(0))


@kernel
def infer(network: Any, count: int) -> None:
    """Evaluate the position whose inputs are in `network.inputs`: fills `value` and the `logits` of all moves."""
    shape, weights = network.shape, network.weights
    layers = shape.size - 2  # hidden ones
    # Step 1: the first layer.
    size = shape[1]
    here, there = network.units[0], network.units[1]
    at = shape[0] * size
    set_to(here, weights, at, size)
    add_rows(here, weights, 0, size, network.inputs, count)
    rectify(here, size)
    at += size
    # Step 2: the other hidden layers.
    for layer in range(1, layers):
        following = shape[layer + 1]
        bias = at + size * following
        set_to(there, weights, bias, following)
        add_active(there, weights, at, following, here, size, network.rows)
        rectify(there, following)
        here, there = there, here
        at = bias + following
        size = following
    # Step 3: the heads.
    total = weights[at + size]
    for unit in range(size):
        total += here[unit] * weights[at + unit]
    network.value[0] = np.tanh(total)
    at += size + 1
    moves = network.logits.size
    set_to(network.logits, weights, at + size * moves, moves)
    add_active(network.logits, weights, at, moves, here, size, network.rows)


@kernel
def predict(network: Any, state: Any) -> Any:
    """Evaluate a position; returns its value for the side to move and leaves the logits of all moves in the network."""
    infer(network, features(state, network.inputs))
    return np.float64(network.value[0]) * value_sign(state)


@kernel
def write_priors(network: Any, moves: Any, count: int, out: Any) -> None:
    """Write the priors of the first `count` moves: the softmax of their logits."""
    highest = network.logits[moves[0]]
    for i in range(1, count):
        highest = max(highest, network.logits[moves[i]])
    total = np.float32(0)
    for i in range(count):
        out[i] = np.exp(network.logits[moves[i]] - highest)
        total += out[i]
    for i in range(count):
        out[i] /= total
