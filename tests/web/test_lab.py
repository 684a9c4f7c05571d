"""The data of the lab page."""

import json

import pytest

from podium.lab.tune.ablation import Ablation
from podium.lab.tune.tuning import Tuning
from podium.web.app import application
from podium.web.lab_data import trainings
from podium.web.repository import Repository
from podium.web.server import pages
from tests.arena.conftest import toys as toys
from tests.web.serving import client_of, served

GENERATION = {
    "number": 1,
    "teacher": 0,
    "games": 100,
    "examples": 4000,
    "losses": {"value": 0.9, "policy": 3.1},
    "score": 0.61,
    "passed": True,
    "seconds": 12.0,
}
NO_MATCH = {"low": None, "high": None, "run": ""}  # of a run that was made before its gate was a match in a store
RATING = {"generation": 1, "opponent": "random", "nodes": 200, "won": 7, "drawn": 2, "lost": 1}


@pytest.fixture
def folder(tmp_path):
    learned = tmp_path / "learned-zuniq"
    learned.mkdir()
    (learned / "plan.json").write_text(json.dumps({"game": "zuniq", "gate": 0.6}))
    (learned / "log.jsonl").write_text(json.dumps(GENERATION) + "\n" + '{"number": 2, "tea')
    (learned / "ratings.jsonl").write_text(json.dumps(RATING) + "\n" + '{"generation": 2')
    (tmp_path / "other").mkdir()
    return tmp_path


def test_a_run_of_learning_is_found_beside_the_store(folder):
    (found,) = trainings(folder)
    assert found["name"] == "learned-zuniq"
    assert found["generations"] == [{**GENERATION, **NO_MATCH}], "the line that was never finished is left out"
    assert found["ratings"] == [{**RATING, **NO_MATCH, "score": 0.8}]


def test_a_damaged_run_of_learning_is_told_beside_the_others(folder):
    for name, (plan, log) in {
        "half": ('{"game": "zuni', json.dumps(GENERATION)),
        "list": ("[1]", json.dumps(GENERATION)),
        "noise": ('{"game": "zuniq"}', "\udc80\n[3]\n" + json.dumps(GENERATION)),
    }.items():
        (folder / name).mkdir()
        (folder / name / "plan.json").write_text(plan)
        (folder / name / "log.jsonl").write_text(log, errors="surrogateescape")
    (folder / "gone").mkdir()
    (folder / "gone" / "log.jsonl").symlink_to("nowhere")
    found = {one["name"]: one for one in trainings(folder)}
    assert set(found) == {"learned-zuniq", "half", "list", "noise"}
    assert "is not the plan of a training run" in found["half"]["problem"]
    assert found["list"]["problem"]
    assert found["noise"]["generations"] == found["learned-zuniq"]["generations"] == [{**GENERATION, **NO_MATCH}]


def test_the_page_is_told_of_runs_and_trainings(store, folder):
    with client_of(application(Repository(store), ["127.0.0.1"])) as client:
        assert client.get("/api/v1/lab").json() == {"runs": [], "trainings": []}


def test_claims_are_told_with_their_verdicts(store):
    with client_of(application(Repository(store), ["127.0.0.1"])) as client:
        told = client.get("/api/v1/claims").json()
    assert sum(told["counts"].values()) == len(told["claims"]) > 50
    (claim,) = [one for one in told["claims"] if (one["game"], one["claim"]) == ("code4life", "diagnosis-restriction")]
    assert claim["claimed"] == "8 % more wins"
    assert claim["commands"][0].startswith("podium match code4life")
    assert len(claim["measured"]) == len(claim["commands"])
    assert {one["verdict"] for one in told["claims"]} <= told["meanings"].keys()
    for one in told["claims"]:
        if one["verdict"] == "no effect shown":  # then the page says how large it can be
            assert any("no effect shown (at most " in text for text in one["measured"]), one["claim"]


def test_a_click_on_a_verdict_lists_its_claims(store, browser):
    with served(pages(store, ["127.0.0.1"])) as address:
        page = browser.new_page()
        page.goto(f"{address}/claims")
        page.wait_for_selector(".tally")
        verdicts = [one["verdict"] for one in page.request.get(f"{address}/api/v1/claims").json()["claims"]]
        shown = page.locator(".tally button").all_inner_texts()
        assert sum(int(text.rpartition(" ")[2]) for text in shown) == len(verdicts)
        page.locator(".tally button").first.click()
        assert page.locator(".claim").count() == verdicts.count(shown[0].rpartition(" ")[0]) < len(verdicts)
        page.locator(".tally button").first.click()
        assert page.locator(".claim").count() == len(verdicts)
        page.close()


def test_studies_are_told_with_their_figures(toys, tmp_path):
    store = tmp_path / "lab.db"
    with Ablation("duel", "namer", values={"number": ["4"]}, games=20, store=store) as ablation:
        parts = ablation.play(jobs=1).parts
    with Tuning("duel", "namer", ["number=2:8", "duel=on|off"], games=20, tests=0, store=store) as tuning:
        found = tuning.play(jobs=1)
    with client_of(application(Repository(store), ["127.0.0.1"])) as client:
        first, second = (client.get(f"/api/v1/runs/{number}").json() for number in (1, 2))
        assert [run["kind"] for run in client.get("/api/v1/lab").json()["runs"]] == ["tuning", "ablation"]
    assert first["parts"][0]["elo"] == pytest.approx(parts[0].elo)
    assert (first["state"], second["state"]) == ("finished", "finished")
    assert [one["name"] for one in second["parameters"]] == ["number", "duel"]
    assert second["line"] == found.line


def test_a_tuning_and_its_test_are_shown_on_a_phone(toys, tmp_path, browser):
    store, space = tmp_path / "lab.db", ["number=2:8", "noise=0:4", "duel=on|off"]
    with Tuning("duel", "namer:number=2", space, games=60, tests=4, nodes=10, store=store) as tuning:
        assert tuning.play(jobs=1).validations
    with served(pages(store, ["127.0.0.1"])) as address:
        phone = browser.new_page(viewport={"width": 390, "height": 844})
        for path in ("/runs/2", "/runs/1"):
            phone.goto(address + path)
            phone.wait_for_selector("h1")
            assert phone.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        (switch,) = phone.locator("tr", has=phone.get_by_text("duel", exact=True)).all()
        assert switch.locator("td").nth(1).inner_text() in ("on", "off")
        phone.close()
