"""Which parts of the conformance suite run in which mode."""

import pytest

from podium.kernel import JIT
from podium.testing import Conformance

SEARCHES = {
    test.__name__
    for test in (
        Conformance.test_alpha_beta_finds_the_value_of_minimax,
        Conformance.test_max_n_finds_the_shares_of_its_definition,
        Conformance.test_a_wide_beam_finds_the_best_sequence,
        Conformance.test_decoupled_search_visits_what_its_plain_twin_visits,
        Conformance.test_monte_carlo_search_proves_what_is_true,
    )
}
COMPILED = ("zuniq", "wondev_woman")  # with all searches; compiling them all for any other game takes a minute or two


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Every search on every game without the compiler; compiled on two games, and not repeated with bounds checks.

    The searches that a game's own bots use are compiled for it in any case, by the tests of its bots.
    """
    ours = [item for item in items if issubclass(getattr(item, "cls", None) or object, Conformance)]
    searches = [item for item in ours if item.originalname in SEARCHES]
    for item in searches:
        item.add_marker(pytest.mark.slow)
    left_out = {item for item in searches if JIT and item.cls.name not in COMPILED}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
