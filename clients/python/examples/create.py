"""Adds a member once, however often it runs: the key is derived from the data."""

import os

from lanyard import Lanyard

with Lanyard(os.environ["LANYARD_URL"], os.environ["TOKEN"]) as lanyard:
    member = lanyard.create_organization_member(
        os.environ["ORGANIZATION"],
        {"email": "fourth.climber@skyline.example", "external_id": "HR-0818"},
        idempotency_key="hr-0818-v1",
    )
    print(member["status"])
