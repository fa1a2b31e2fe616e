"""The operations of the API. Generated from schema/openapi.json by `npm run generate`. Do not
edit.
"""

from __future__ import annotations

from . import models
from .lists import List, SyncList
from .transport import Transport


class Operations:
    """One method per operation. A method returns the `data` of the response."""

    _transport: Transport

    def create_my_certification(
        self,
        body: models.CertificationCreate,
        *,
        idempotency_key: str | None = None,
    ) -> models.Certification:
        """Creates a certification record for the caller, in the primary membership or the one
        named by the input.

        Needs `certification_records:write`.
        """
        data: models.Certification = self._transport.call(
            "POST",
            "/v1/certifications",
            {},
            body=body,
            headers={"Idempotency-Key": idempotency_key},
        )
        return data

    def list_my_certifications(
        self,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
    ) -> SyncList[models.Certification]:
        """Lists the caller's own certification records in all organizations, oldest change
        first.

        Needs `certification_records:read`.
        """
        return SyncList[models.Certification](
            self._transport,
            "/v1/certifications",
            {},
            {"limit": limit, "updated_after": updated_after},
        )

    def create_certification(
        self,
        organization_id: str,
        body: models.CertificationCreate,
        *,
        idempotency_key: str | None = None,
    ) -> models.Certification:
        """Creates a certification record for a member. Members without the `admin` or `manager`
        role can create only self-reported records of their own.

        Needs `certification_records:write`.
        """
        data: models.Certification = self._transport.call(
            "POST",
            "/v1/organizations/{organization_id}/certifications",
            {"organization_id": organization_id},
            body=body,
            headers={"Idempotency-Key": idempotency_key},
        )
        return data

    def list_certifications(
        self,
        organization_id: str,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
        organization_member_id: str | None = None,
        external_id: str | None = None,
        external_source: str | None = None,
    ) -> SyncList[models.Certification]:
        """Lists the certification records of an organization, oldest change first by default.
        Members without the `admin` or `manager` role see only their own records.

        Needs `certification_records:read`.
        """
        return SyncList[models.Certification](
            self._transport,
            "/v1/organizations/{organization_id}/certifications",
            {"organization_id": organization_id},
            {
                "limit": limit,
                "updated_after": updated_after,
                "organization_member_id": organization_member_id,
                "external_id": external_id,
                "external_source": external_source,
            },
        )

    def get_my_certification(
        self,
        certification_id: str,
    ) -> models.Certification:
        """Returns one of the caller's own certification records.

        Needs `certification_records:read`.
        """
        data: models.Certification = self._transport.call(
            "GET",
            "/v1/certifications/{certification_id}",
            {"certification_id": certification_id},
        )
        return data

    def update_certification(
        self,
        organization_id: str,
        certification_id: str,
        body: models.CertificationUpdate,
        *,
        if_match: str | None = None,
    ) -> models.Certification:
        """Changes a certification record. A changed date, issuer or serial number resets its
        verification. Members without the `admin` or `manager` role can change only their own
        self-reported records.

        Needs `certification_records:write`.
        """
        data: models.Certification = self._transport.call(
            "PATCH",
            "/v1/organizations/{organization_id}/certifications/{certification_id}",
            {"organization_id": organization_id, "certification_id": certification_id},
            body=body,
            headers={"If-Match": if_match},
        )
        return data

    def list_organizations(
        self,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
    ) -> SyncList[models.Organization]:
        """Lists the organizations that the caller can access through this app, oldest change
        first.

        Needs `organizations:read`.
        """
        return SyncList[models.Organization](
            self._transport,
            "/v1/organizations",
            {},
            {"limit": limit, "updated_after": updated_after},
        )

    def get_organization(
        self,
        organization_id: str,
    ) -> models.Organization:
        """Returns an organization.

        Needs `organizations:read`.
        """
        data: models.Organization = self._transport.call(
            "GET",
            "/v1/organizations/{organization_id}",
            {"organization_id": organization_id},
        )
        return data

    def create_organization_member(
        self,
        organization_id: str,
        body: models.OrganizationMemberCreate,
        *,
        idempotency_key: str | None = None,
    ) -> models.OrganizationMember:
        """Invites a person to an organization. The response does not reveal whether the address
        has an account. Requires the `admin` or `manager` role.

        Needs `organization_members:write`.
        """
        data: models.OrganizationMember = self._transport.call(
            "POST",
            "/v1/organizations/{organization_id}/organization-members",
            {"organization_id": organization_id},
            body=body,
            headers={"Idempotency-Key": idempotency_key},
        )
        return data

    def list_organization_members(
        self,
        organization_id: str,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
        email: str | None = None,
        external_id: str | None = None,
    ) -> SyncList[models.OrganizationMember]:
        """Lists the members of an organization, oldest change first by default. Members without
        the `admin` or `manager` role see only themselves.

        Needs `organization_members:read`.
        """
        return SyncList[models.OrganizationMember](
            self._transport,
            "/v1/organizations/{organization_id}/organization-members",
            {"organization_id": organization_id},
            {
                "limit": limit,
                "updated_after": updated_after,
                "email": email,
                "external_id": external_id,
            },
        )

    def list_job_roles(
        self,
        organization_id: str,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
    ) -> SyncList[models.JobRole]:
        """Lists the job roles that an organization can use, oldest change first.

        Needs `job_roles:read`.
        """
        return SyncList[models.JobRole](
            self._transport,
            "/v1/organizations/{organization_id}/job-roles",
            {"organization_id": organization_id},
            {"limit": limit, "updated_after": updated_after},
        )

    def update_job_role(
        self,
        organization_id: str,
        job_role_id: str,
        body: models.JobRoleUpdate,
        *,
        if_match: str | None = None,
    ) -> models.JobRole:
        """Changes a job role of an organization. Requires the `admin` or `manager` role.

        Needs `job_roles:write`.
        """
        data: models.JobRole = self._transport.call(
            "PATCH",
            "/v1/organizations/{organization_id}/job-roles/{job_role_id}",
            {"organization_id": organization_id, "job_role_id": job_role_id},
            body=body,
            headers={"If-Match": if_match},
        )
        return data

    def assign_job_role(
        self,
        organization_id: str,
        organization_member_id: str,
        job_role_id: str,
        body: models.JobRoleAssign,
        *,
        if_match: str | None = None,
    ) -> models.JobRoleAssignment:
        """Assigns a job role to a member, or changes the existing assignment. Requires the
        `admin` or `manager` role.

        Needs `job_roles:write`.
        """
        data: models.JobRoleAssignment = self._transport.call(
            "PUT",
            "/v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}",
            {
                "organization_id": organization_id,
                "organization_member_id": organization_member_id,
                "job_role_id": job_role_id,
            },
            body=body,
            headers={"If-Match": if_match},
        )
        return data

    def remove_job_role(
        self,
        organization_id: str,
        organization_member_id: str,
        job_role_id: str,
        *,
        if_match: str | None = None,
    ) -> None:
        """Removes a job role from a member. Returns true even if it was not assigned. Requires
        the `admin` or `manager` role.

        Needs `job_roles:write`.
        """
        self._transport.call(
            "DELETE",
            "/v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}",
            {
                "organization_id": organization_id,
                "organization_member_id": organization_member_id,
                "job_role_id": job_role_id,
            },
            headers={"If-Match": if_match},
        )

    def create_certification_type(
        self,
        organization_id: str,
        body: models.CertificationTypeCreate,
        *,
        idempotency_key: str | None = None,
    ) -> models.CertificationType:
        """Creates a certification type of an organization. Requires the `admin` or `manager`
        role.

        Needs `certification_types:write`.
        """
        data: models.CertificationType = self._transport.call(
            "POST",
            "/v1/organizations/{organization_id}/certification-types",
            {"organization_id": organization_id},
            body=body,
            headers={"Idempotency-Key": idempotency_key},
        )
        return data

    def list_certification_types(
        self,
        organization_id: str,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
    ) -> SyncList[models.CertificationType]:
        """Lists the certification types that an organization can use, oldest change first.

        Needs `certification_types:read`.
        """
        return SyncList[models.CertificationType](
            self._transport,
            "/v1/organizations/{organization_id}/certification-types",
            {"organization_id": organization_id},
            {"limit": limit, "updated_after": updated_after},
        )

    def get_certification_type(
        self,
        organization_id: str,
        certification_type_id: str,
    ) -> models.CertificationType:
        """Returns a certification type.

        Needs `certification_types:read`.
        """
        data: models.CertificationType = self._transport.call(
            "GET",
            "/v1/organizations/{organization_id}/certification-types/{certification_type_id}",
            {"organization_id": organization_id, "certification_type_id": certification_type_id},
        )
        return data

    def discover_certification_type(
        self,
        certification_type_id: str,
    ) -> models.CertificationType:
        """Returns a certification type.

        Needs `certification_types:read`.
        """
        data: models.CertificationType = self._transport.call(
            "GET",
            "/v1/certification-types/{certification_type_id}",
            {"certification_type_id": certification_type_id},
        )
        return data

    def create_qualification(
        self,
        organization_id: str,
        body: models.QualificationCreate,
        *,
        idempotency_key: str | None = None,
    ) -> models.Qualification:
        """Creates a qualification of an organization. Requires the `admin` or `manager` role.

        Needs `qualifications:write`.
        """
        data: models.Qualification = self._transport.call(
            "POST",
            "/v1/organizations/{organization_id}/qualifications",
            {"organization_id": organization_id},
            body=body,
            headers={"Idempotency-Key": idempotency_key},
        )
        return data

    def list_qualifications(
        self,
        organization_id: str,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
    ) -> SyncList[models.Qualification]:
        """Lists the qualifications that an organization can use, oldest change first.

        Needs `qualifications:read`.
        """
        return SyncList[models.Qualification](
            self._transport,
            "/v1/organizations/{organization_id}/qualifications",
            {"organization_id": organization_id},
            {"limit": limit, "updated_after": updated_after},
        )

    def get_qualification(
        self,
        organization_id: str,
        qualification_id: str,
    ) -> models.Qualification:
        """Returns a qualification.

        Needs `qualifications:read`.
        """
        data: models.Qualification = self._transport.call(
            "GET",
            "/v1/organizations/{organization_id}/qualifications/{qualification_id}",
            {"organization_id": organization_id, "qualification_id": qualification_id},
        )
        return data

    def discover_qualifications(
        self,
        *,
        limit: int | None = None,
        updated_after: str | None = None,
        q: str | None = None,
    ) -> SyncList[models.Qualification]:
        """Lists the qualifications that an organization can use, oldest change first.

        Needs `qualifications:read`.
        """
        return SyncList[models.Qualification](
            self._transport,
            "/v1/qualifications",
            {},
            {
                "limit": limit,
                "updated_after": updated_after,
                "q": q,
            },
        )

    def list_requirements(
        self,
        organization_id: str,
        qualification_id: str,
    ) -> list[models.QualificationRequirement]:
        """Lists the requirements of a qualification, in order.

        Needs `qualifications:read`.
        """
        data: list[models.QualificationRequirement] = self._transport.call(
            "GET",
            "/v1/organizations/{organization_id}/qualifications/{qualification_id}/requirements",
            {"organization_id": organization_id, "qualification_id": qualification_id},
        )
        return data

    def replace_requirements(
        self,
        organization_id: str,
        qualification_id: str,
        body: models.RequirementsReplace,
        *,
        if_match: str | None = None,
    ) -> list[models.QualificationRequirement]:
        """Replaces the requirements of a qualification. Requires the `admin` or `manager` role.

        Needs `qualifications:write`.
        """
        data: list[models.QualificationRequirement] = self._transport.call(
            "PUT",
            "/v1/organizations/{organization_id}/qualifications/{qualification_id}/requirements",
            {"organization_id": organization_id, "qualification_id": qualification_id},
            body=body,
            headers={"If-Match": if_match},
        )
        return data

    def get_my_result(
        self,
        qualification_id: str,
    ) -> models.QualificationResult:
        """Returns the caller's own result for a qualification.

        Needs `organization_members:read` and `certification_records:read`.
        """
        data: models.QualificationResult = self._transport.call(
            "GET",
            "/v1/qualification-results/{qualification_id}",
            {"qualification_id": qualification_id},
        )
        return data

    def list_results(
        self,
        organization_id: str,
        organization_member_id: str,
        *,
        limit: int | None = None,
    ) -> List[models.QualificationResult]:
        """Lists a member's results for all active qualifications that the organization can use.
        Members without the `admin` or `manager` role can read only their own.

        Needs `organization_members:read` and `certification_records:read`.
        """
        return List[models.QualificationResult](
            self._transport,
            "/v1/organizations/{organization_id}/organization-members/{organization_member_id}/qualifications",
            {"organization_id": organization_id, "organization_member_id": organization_member_id},
            {"limit": limit},
        )

    def get_me(
        self,
    ) -> models.Identity:
        """Returns the current user, app and permissions.

        Needs no API scope.
        """
        data: models.Identity = self._transport.call(
            "GET",
            "/v1/me",
            {},
        )
        return data
