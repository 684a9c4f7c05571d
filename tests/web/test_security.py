"""Who may talk to the server."""

import pytest

from podium.web.app import application
from podium.web.repository import Repository
from tests.web.serving import client_of

TOKEN = "secret-of-the-test"


@pytest.fixture(scope="module")
def client(store):
    with client_of(application(Repository(store), ["testserver", "127.0.0.1"])) as client:
        yield client


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "", "127.0.0.1.evil.example:80"])
def test_another_name_is_refused(client, host):
    assert client.get("/api/v1/runs", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["testserver", "TESTSERVER:8117", "127.0.0.1:8117"])
def test_own_names_are_served(client, host):
    assert client.get("/api/v1/runs", headers={"Host": host}).status_code == 200


def test_pages_of_other_sites_may_not_ask(client):
    assert client.get("/api/v1/runs", headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/v1/runs", headers={"Origin": "null"}).status_code == 403
    assert client.get("/api/v1/runs", headers={"Origin": str(client.base_url).rstrip("/")}).status_code == 200


def test_forms_of_other_sites_change_nothing(client):
    form = client.post("/api/v1/tables", data={"game": "zuniq"})
    assert form.status_code == 403
    text = client.post("/api/v1/tables", content="{}", headers={"Content-Type": "text/plain"})
    assert text.status_code == 403
    site = client.post("/api/v1/tables", json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert site.status_code == 403
    large = client.post("/api/v1/tables", json={"game": "x" * 200_000})
    assert large.status_code == 403


def test_a_token_is_wanted_where_others_can_reach_the_server(store):
    with client_of(application(Repository(store), ["127.0.0.1"], TOKEN)) as client:
        assert_token_wanted(client)


def assert_token_wanted(client):
    assert client.get("/api/v1/runs").status_code == 401
    assert client.get("/?token=wrong").status_code == 401
    assert client.get("/api/v1/runs", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    welcome = client.get(f"/runs/1?token={TOKEN}")
    assert welcome.status_code == 303
    assert welcome.headers["location"] == "/runs/1"
    assert "httponly" in welcome.headers["set-cookie"].lower()
    assert "samesite=strict" in welcome.headers["set-cookie"].lower()
    assert client.get("/api/v1/runs").status_code == 200, "the cookie was not taken"
