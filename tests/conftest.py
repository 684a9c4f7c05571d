"""Settings of all tests."""

from hypothesis import settings

# The first example of a test compiles kernels: no time limits for single examples.
settings.register_profile("podium", deadline=None)
settings.load_profile("podium")
