"""Training: gradients against finite differences, learning something planted, what a network says twice."""

import numpy as np
import pytest

from podium.lab.learn.training import Schedule, Targets, dense, forward, gradient, new_model, softmax, train
from podium.search.network import infer, load_network, new_network, save_network

SHAPE = (12, 9, 7, 5)
AUXILIARIES = 4


def batch(random, size):
    inputs = np.array([random.choice(12, 4, replace=False) for _ in range(size)])
    legal = random.random((size, 5)) < 0.7
    legal[:, 0] = True
    policies = np.where(legal, random.random((size, 5)), 0.0)
    policies /= policies.sum(axis=1, keepdims=True)
    policies[0] = 0.0  # one of which nothing but the value is to be learnt
    values = random.uniform(-1, 1, size)
    return dense(inputs, 12), Targets(values, policies, legal, (random.random((size, AUXILIARIES)) < 0.5).astype(float))


def loss(model, inputs, targets, auxiliary_weight):
    _, values, logits, predicted = forward(model, inputs)
    policy = -np.sum(targets.policies * np.log(softmax(logits, targets.legal) + 1e-12)) / len(inputs)
    auxiliary = np.logaddexp(0, predicted) - targets.auxiliaries * predicted
    auxiliary = np.mean(auxiliary * targets.policies.sum(axis=1, keepdims=True))
    return np.mean((values - targets.values) ** 2) + policy + auxiliary_weight * auxiliary


def test_gradients_are_those_of_finite_differences():
    random = np.random.default_rng(3)
    model = new_model(SHAPE, AUXILIARIES, 1, 4)
    model.weights = random.normal(0, 0.5, model.weights.size)  # 64-bit, for the differences
    inputs, targets = batch(random, 6)
    found, _ = gradient(model, inputs.astype(float), targets, 1.0, 0.7)
    for index in random.choice(model.weights.size, 120, replace=False):
        kept, step = model.weights[index], 1e-6
        model.weights[index] = kept + step
        above = loss(model, inputs, targets, 0.7)
        model.weights[index] = kept - step
        below = loss(model, inputs, targets, 0.7)
        model.weights[index] = kept
        assert found[index] == pytest.approx((above - below) / (2 * step), rel=1e-4, abs=1e-7)


def test_a_network_in_the_kernel_says_what_plain_numpy_says():
    random = np.random.default_rng(5)
    for shape in ((12, 9, 5), SHAPE, (12, 8, 8, 8, 5)):
        model = new_model(shape, 0, 2, 4)
        model.weights[:] = random.normal(0, 0.5, model.weights.size)
        network = new_network(shape, model.network_weights)
        for _ in range(10):
            on = random.choice(12, random.integers(1, 12), replace=False)
            network.inputs[: len(on)] = on
            infer(network, len(on))
            _, values, logits, _ = forward(model, dense(on[None], 12))
            assert network.value[0] == pytest.approx(values[0], abs=1e-5)
            assert network.logits == pytest.approx(logits[0], abs=1e-4)


def test_a_planted_rule_is_learnt():
    model = new_model((12, 32, 16, 5), 1, 1, 4)

    def draw(random, size):
        inputs = np.array([random.choice(12, 4, replace=False) for _ in range(size)])
        matrix = dense(inputs, 12)
        values = np.where(matrix[:, 0] != matrix[:, 1], 0.8, -0.8)  # exclusive or: no single layer can tell
        policies = np.eye(5)[(matrix[:, 2] + 2 * matrix[:, 3]).astype(int)]
        return matrix, Targets(values, policies, np.ones((size, 5), bool), matrix[:, :1])

    losses = train(model, draw, Schedule(steps=400, batch=128, learning_rate=5e-3), 7)
    assert losses.value < 0.05
    assert losses.policy < 0.1
    assert losses.auxiliary < 0.05


def test_a_network_file_is_read_as_it_was_written(tmp_path):
    model = new_model(SHAPE, AUXILIARIES, 1, 4)
    save_network(tmp_path / "one.npz", SHAPE, model.network_weights, {"generation": 3})
    network, about = load_network(tmp_path / "one.npz")
    assert about == {"generation": 3}
    assert network.shape.tolist() == list(SHAPE)
    assert np.array_equal(network.weights, model.network_weights)
    assert [path.name for path in tmp_path.iterdir()] == ["one.npz"]


@pytest.mark.parametrize("content", [b"", b"PK nonsense", b"\x93NUMPY"])
def test_a_damaged_network_file_is_a_sentence(tmp_path, content):
    from podium.errors import PodiumError

    (tmp_path / "bad.npz").write_bytes(content)
    with pytest.raises(PodiumError, match="is not a network file"):
        load_network(tmp_path / "bad.npz")
