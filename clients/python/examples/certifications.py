"""Prints the expired certifications of an organization."""

import os
import sys

from lanyard import Lanyard, LanyardError

organization = os.environ["ORGANIZATION"]

with Lanyard(os.environ["LANYARD_URL"], os.environ["TOKEN"]) as lanyard:
    try:
        for certification in lanyard.list_certifications(organization):
            if certification["validity_status"] == "expired":
                title = certification["certification_type"]["title"]
                print(f"{title} ended on {certification['expires_on']}")
    except LanyardError as error:
        sys.exit(f"{error} (request {error.request_id})")
