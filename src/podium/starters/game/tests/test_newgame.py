"""Newgame keeps what every game must keep."""

from podium.testing import conformance

TestConformance = conformance("newgame")
