"""The client against a server. Run by test/clients/python.test.ts, which starts it."""

import os
import threading
import unittest
from collections.abc import Callable
from typing import Any

import httpx
from lanyard import Lanyard, LanyardError, RefreshingTokens, Tokens, models
from lanyard.retry import pause_after, read_retry_after

BASE = os.environ["LANYARD_URL"]
TOKEN = os.environ["TOKEN"]
ORGANIZATION = os.environ["ORGANIZATION"]
MEMBER = os.environ["MEMBER"]
TYPE = os.environ["TYPE"]

Fault = Callable[[httpx.BaseTransport, httpx.Request], httpx.Response]


def lost(network: httpx.BaseTransport, request: httpx.Request) -> httpx.Response:
    """The server receives the request; its response is lost."""
    network.handle_request(request).read()
    raise httpx.ReadError("The connection broke.")


def down(network: httpx.BaseTransport, request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("The network is down.")


def respond(status: int, headers: dict[str, str] | None = None) -> Fault:
    return lambda network, request: httpx.Response(status, headers=headers)


class Network(httpx.BaseTransport):
    """Fails the first requests as told, and lets all others through."""

    def __init__(self, *faults: Fault) -> None:
        self.network = httpx.HTTPTransport()
        self.faults = list(faults)
        self.sent: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        if self.faults:
            return self.faults.pop(0)(self.network, request)
        return self.network.handle_request(request)

    def close(self) -> None:
        self.network.close()


def client(*faults: Fault, **options: Any) -> tuple[Lanyard, Network]:
    network = Network(*faults)
    lanyard = Lanyard(BASE, TOKEN, transport=network, **options)
    unittest.addModuleCleanup(lanyard.close)
    return lanyard, network


def create(lanyard: Lanyard, serial: str, **options: Any) -> str:
    body: models.CertificationCreate = {
        "organization_member_id": MEMBER,
        "certification_type_id": TYPE,
        "serial_number": serial,
    }
    return lanyard.create_certification(ORGANIZATION, body, **options)["id"]


def serials(lanyard: Lanyard, serial: str) -> int:
    records = lanyard.list_certifications(ORGANIZATION)
    return sum(record["serial_number"] == serial for record in records)


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        self.lanyard, _ = client()

    def test_every_kind_of_operation(self) -> None:
        self.assertEqual(self.lanyard.get_me()["user"]["email"], os.environ["EMAIL"])
        body: models.CertificationTypeCreate = {"slug": "python", "title": "Python"}
        kind = self.lanyard.create_certification_type(ORGANIZATION, body)
        found = self.lanyard.get_certification_type(ORGANIZATION, kind["id"])
        self.assertEqual(found, kind)
        role = next(iter(self.lanyard.list_job_roles(ORGANIZATION)))
        ids = (ORGANIZATION, MEMBER, role["id"])
        self.assertTrue(self.lanyard.assign_job_role(*ids, {"is_primary": True})["is_primary"])
        self.lanyard.remove_job_role(*ids)
        qualification = next(iter(self.lanyard.list_qualifications(ORGANIZATION)))
        requirements = self.lanyard.list_requirements(ORGANIZATION, qualification["id"])
        self.assertIsInstance(requirements, list)
        results = list(self.lanyard.list_results(ORGANIZATION, MEMBER, limit=1))
        self.assertGreater(len(results), 1)

    def test_headers_of_a_response(self) -> None:
        response = self.lanyard.request("GET", "/v1/me")
        self.assertIn("etag", response.headers)

    def test_a_change_of_another_version_is_rejected(self) -> None:
        record = create(self.lanyard, "versioned")
        with self.assertRaises(LanyardError) as raised:
            self.lanyard.update_certification(
                ORGANIZATION, record, {"issuer_name": "x"}, if_match='"2020-01-01T00:00:00.000000Z"'
            )
        self.assertEqual(raised.exception.code, "precondition_failed")

    def test_errors(self) -> None:
        with self.assertRaises(LanyardError) as raised:
            self.lanyard.create_my_certification({"certification_type_id": "x"})
        error = raised.exception
        self.assertEqual((error.status, error.code), (422, "validation_error"))
        self.assertEqual(list(error.details), ["certification_type_id"])
        self.assertIsNotNone(error.request_id)
        lanyard, _ = client(respond(418))
        with self.assertRaises(LanyardError) as raised:
            lanyard.get_me()
        self.assertEqual((raised.exception.status, raised.exception.code), (418, "http_418"))
        lanyard, _ = client(down, patience=0)
        with self.assertRaises(LanyardError) as raised:
            lanyard.get_me()
        self.assertEqual((raised.exception.status, raised.exception.code), (0, "no_response"))


class Retries(unittest.TestCase):
    def test_a_create_whose_responses_are_lost_is_made_once(self) -> None:
        lanyard, network = client(lost, down, respond(503, {"retry-after": "0"}), lost)
        create(lanyard, "python-lost")
        self.assertEqual(len(network.sent), 5)
        self.assertEqual(len({request.headers["idempotency-key"] for request in network.sent}), 1)
        self.assertEqual(len({request.content for request in network.sent}), 1)
        self.assertEqual(serials(lanyard, "python-lost"), 1)

    def test_two_creates_have_two_keys(self) -> None:
        lanyard, _ = client()
        self.assertNotEqual(create(lanyard, "python-two"), create(lanyard, "python-two"))

    def test_a_key_of_the_caller_is_kept(self) -> None:
        lanyard, _ = client()
        ids = {create(lanyard, "python-own", idempotency_key="python-own") for _ in range(2)}
        self.assertEqual(len(ids), 1)

    def test_other_errors_are_not_repeated(self) -> None:
        for status in (400, 401, 403, 404, 409, 422, 500):
            lanyard, network = client(respond(status))
            with self.assertRaises(LanyardError):
                lanyard.get_me()
            self.assertEqual((status, len(network.sent)), (status, 1))

    def test_pauses(self) -> None:
        self.assertEqual(read_retry_after(None), 0)
        self.assertEqual(read_retry_after("7"), 7)
        self.assertEqual(read_retry_after("nonsense"), 0)
        self.assertEqual(read_retry_after("Thu, 01 Jan 1970 00:00:00 GMT"), 0)
        self.assertLess(pause_after(1, 0), 0.2)
        self.assertLess(pause_after(50, 0), 10)
        self.assertGreaterEqual(pause_after(1, 3), 3)


class Lists(unittest.TestCase):
    def setUp(self) -> None:
        self.lanyard, _ = client()

    def test_iterating_reads_all_pages_once(self) -> None:
        small = list(self.lanyard.list_organization_members(ORGANIZATION, limit=7))
        pages = list(self.lanyard.list_organization_members(ORGANIZATION, limit=7).pages())
        self.assertEqual(small, list(self.lanyard.list_organization_members(ORGANIZATION)))
        self.assertGreater(len(pages), 2)
        self.assertEqual(len({record["id"] for record in small}), len(small))

    def test_follow_returns_what_changed_since_the_position(self) -> None:
        records = self.lanyard.list_certifications(ORGANIZATION, limit=20)
        batches = list(records.follow())
        self.assertGreater(len(batches), 2)
        self.assertEqual([batch.is_current for batch in batches][-2:], [False, True])
        # Interrupted in the middle and continued: nothing is missing.
        rest = [each for batch in records.follow(batches[0].position) for each in batch.records]
        everything = {each["id"] for batch in batches for each in batch.records}
        first = {each["id"] for each in batches[0].records}
        self.assertEqual(first | {each["id"] for each in rest}, everything)
        created = create(self.lanyard, "python-followed")
        news = [each for batch in records.follow(batches[-1].position) for each in batch.records]
        self.assertEqual([each["id"] for each in news], [created])

    def test_a_position_of_other_permissions_is_rejected(self) -> None:
        [*_, last] = self.lanyard.list_organization_members(ORGANIZATION).follow()
        other = Lanyard(BASE, os.environ["OTHER_TOKEN"])
        self.addCleanup(other.close)
        with self.assertRaises(LanyardError) as raised:
            next(other.list_organization_members(ORGANIZATION).follow(last.position))
        self.assertEqual(raised.exception.code, "resync_required")

    def test_a_rejected_cursor_starts_the_pass_again(self) -> None:
        records = self.lanyard.list_organization_members(ORGANIZATION, limit=10)
        first = next(records.follow())
        broken = first.position.replace('"cursor": "', '"cursor": "x')
        followed = [each for batch in records.follow(broken) for each in batch.records]
        self.assertEqual(followed, list(records))


class Refreshing(unittest.TestCase):
    def test_threads_share_one_refresh_which_is_stored_before_it_is_used(self) -> None:
        store: list[Tokens] = [{"access_token": "ended", "refresh_token": "first"}]
        refreshes: list[bytes] = []

        def answer(request: httpx.Request) -> httpx.Response:
            refreshes.append(request.read())
            return httpx.Response(
                200, json={"access_token": TOKEN, "refresh_token": "second", "expires_in": 600}
            )

        tokens = RefreshingTokens(
            BASE,
            "app",
            load=lambda: store[-1],
            save=store.append,
            transport=httpx.MockTransport(answer),
        )
        lanyard = Lanyard(BASE, tokens)
        self.addCleanup(lanyard.close)
        emails: list[str] = []
        threads = [
            threading.Thread(target=lambda: emails.append(lanyard.get_me()["user"]["email"]))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(emails, [os.environ["EMAIL"]] * 4)
        self.assertEqual(len(refreshes), 1)
        self.assertIn(b"client_id=app", refreshes[0])
        self.assertEqual([each.get("refresh_token") for each in store], ["first", "second"])

    def test_a_sign_in_that_has_ended(self) -> None:
        tokens = RefreshingTokens(
            BASE,
            os.environ["CLIENT_ID"],
            load=lambda: {"refresh_token": "unknown"},
            save=lambda tokens: None,
        )
        with self.assertRaises(LanyardError) as raised:
            tokens()
        self.assertEqual((raised.exception.status, raised.exception.code), (400, "invalid_grant"))


if __name__ == "__main__":
    unittest.main()
