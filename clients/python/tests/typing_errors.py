"""What a type checker must reject. mypy fails if one of the comments is not needed."""

from lanyard import Lanyard, models


def check(lanyard: Lanyard, organization: str) -> None:
    lanyard.get_certificate()  # type: ignore[attr-defined]
    lanyard.list_certifications()  # type: ignore[call-arg]
    lanyard.list_organizations(updated_since="")  # type: ignore[call-arg]
    lanyard.list_results(organization, organization).follow()  # type: ignore[attr-defined]
    lanyard.create_my_certification({})  # type: ignore[typeddict-item]
    body: models.CertificationCreate = {
        "certification_type_id": "",
        "source": "self_reported",  # type: ignore[typeddict-item]
    }
    record = lanyard.create_certification(organization, body)
    record["expires_on"][:4]  # type: ignore[index]
    if record["lifecycle_status"] == "deleted":  # type: ignore[comparison-overlap]
        return
    record["expires"]  # type: ignore[typeddict-item]
