"""The records and request bodies of the API. Generated from schema/openapi.json by `npm run
generate`. Do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


CertificationSource = Literal["manual", "import", "api", "self-reported"]
"""How a certification record was created.

- `manual`: Entered by an admin or a manager.
- `import`: Imported from a file.
- `api`: Created by an integration through the API.
- `self-reported`: Entered by the holder. The record counts only when it is verified.
"""


class CertificationCreate(TypedDict):
    """A new certification record."""

    external_id: NotRequired[str | None]
    """The id of the record in an external system, unique per external system."""

    external_source: NotRequired[str | None]
    """The external system that `external_id` belongs to."""

    issued_on: NotRequired[str | None]
    """The day of issue."""

    expires_on: NotRequired[str | None]
    """The last day on which the certification is valid. Must not be before `issued_on`."""

    issuer_name: NotRequired[str | None]
    """The name of the issuer."""

    serial_number: NotRequired[str | None]
    """The serial number on the certificate."""

    organization_member_id: NotRequired[str]
    """The member who holds the certification. When omitted, it is the caller's own membership
    and `source` must be `self-reported`. For a certification of the caller, it must be one of
    the caller's memberships and defaults to the primary one.
    """

    certification_type_id: str
    """The certification type: active, and usable by the organization."""

    source: NotRequired[CertificationSource | None]
    """How the record was created. Only `self-reported` is allowed without the `admin` or
    `manager` role.
    """


LifecycleStatus = Literal["active", "revoked", "archived"]
"""The lifecycle state of a certification record.

- `active`: The record is in force.
- `revoked`: The certification was revoked. This cannot be undone.
- `archived`: The record is archived and does not count; it can be restored unless it was
revoked before.
"""


VerificationStatus = Literal["unverified", "pending", "verified", "failed"]
"""The outcome of verifying a certification record.

- `unverified`: The record has not been verified since it was created or its certificate data
changed.
- `pending`: Verification was requested and has no outcome yet.
- `verified`: The record was verified.
- `failed`: Verification failed: the record could not be confirmed.
"""


ValidityStatus = Literal["valid", "expiring", "expired", "unknown"]
"""The validity of a certification on a day (UTC), derived from its dates only.

- `valid`: The certification is valid.
- `expiring`: The certification is valid and expires within the configured window (30 days by
default).
- `expired`: Its last day is past.
- `unknown`: The dates do not determine validity: there is no last day, and no day of issue up
to that day.
"""


DefinitionStatus = Literal["active", "archived"]
"""The status of a definition.

- `active`: The definition is in use.
- `archived`: Existing records keep the definition; new records cannot use it.
"""


class CertificationTypeSummary(TypedDict):
    """The main properties of a certification type, as embedded in a certification record."""

    id: str
    """The id of the certification type."""

    slug: str
    """The slug, unique in the owning organization."""

    title: str
    """The title."""

    status: DefinitionStatus
    """The status of the type: `active` or `archived`."""


class Certification(TypedDict):
    """A certification that a member holds."""

    id: str
    """The id of the record."""

    organization_id: str
    """The id of the organization that owns the record."""

    organization_member_id: str
    """The id of the member who holds the certification."""

    user_id: str | None
    """The id of the member's user; null when the record has none."""

    external_id: str | None
    """The id of the record in an external system; null when there is none."""

    external_source: str | None
    """The external system of `external_id`; null when there is none."""

    certification_type_id: str
    """The id of the certification type."""

    lifecycle_status: LifecycleStatus
    """The lifecycle state of the record."""

    source: CertificationSource
    """How the record was created."""

    issued_on: str | None
    """The day of issue; null when unknown."""

    expires_on: str | None
    """The last day on which the certification is valid; null when it has none."""

    issuer_name: str | None
    """The name of the issuer; null when unknown."""

    serial_number: str | None
    """The serial number on the certificate; null when there is none."""

    verification_status: VerificationStatus
    """The outcome of verifying the record."""

    validity_status: ValidityStatus
    """The validity of the certification, today (UTC) by default, derived from its dates only."""

    verification_method: str | None
    """The method of the last verification, such as `document-review`; null when there is none or
    an edit reset it.
    """

    last_verified_at: str | None
    """The time of the last verification; null when there is none or an edit reset it."""

    created_at: str
    """The time at which the record was created."""

    updated_at: str
    """The time of the last change, unique within the organization. Serves as the version of the
    record.
    """

    certification_type: CertificationTypeSummary
    """The certification type of the record."""


class Page(TypedDict):
    """Pagination information of a page."""

    next_cursor: str | None
    """The value of `cursor` for the next page; null on the last page."""

    has_more: bool
    """Whether more records follow this page."""


class CertificationUpdate(TypedDict):
    """The properties of a certification record to change. An omitted property keeps its value;
    null clears it.
    """

    external_id: NotRequired[str | None]
    """The id of the record in an external system, unique per external system."""

    external_source: NotRequired[str | None]
    """The external system that `external_id` belongs to."""

    issued_on: NotRequired[str | None]
    """The day of issue."""

    expires_on: NotRequired[str | None]
    """The last day on which the certification is valid. Must not be before `issued_on`."""

    issuer_name: NotRequired[str | None]
    """The name of the issuer."""

    serial_number: NotRequired[str | None]
    """The serial number on the certificate."""


OrganizationStatus = Literal["active", "suspended"]
"""The status of an organization.

- `active`: The organization is in use.
- `suspended`: Suspended by the operator: the organization grants no access.
"""


class Organization(TypedDict):
    """A company that keeps the records of its members. Each organization is a tenant."""

    id: str
    """The id of the organization."""

    name: str
    """The name."""

    slug: str
    """The slug, unique among all organizations."""

    status: OrganizationStatus
    """The status of the organization: `active` or `suspended`."""

    created_at: str
    """The time at which the organization was created."""

    updated_at: str
    """The time of the last change of the organization itself. Serves as its version."""


class OrganizationMemberCreate(TypedDict):
    """A new member. The membership is `invited` and grants no access until the person accepts
    it.
    """

    email: str
    """The e-mail address, unique in the organization."""

    display_name: NotRequired[str | None]
    """The display name. Derived from the other names or the e-mail address when omitted."""

    first_name: NotRequired[str | None]
    """The first name."""

    last_name: NotRequired[str | None]
    """The last name."""

    role: NotRequired[str | None]
    """The role. Defaults to `member`. Only an admin can grant the role `admin`."""

    is_primary: NotRequired[bool]
    """Whether this becomes the primary membership of the person when they accept. Ignored if
    they have one by then.
    """

    external_id: NotRequired[str | None]
    """The id of the member in an external system, unique in the organization."""


MemberStatus = Literal["active", "invited", "suspended"]
"""The status of a membership.

- `active`: The person accepted the invitation and can act in the organization.
- `invited`: The person has not accepted the invitation. The membership grants no access.
- `suspended`: The membership grants no access.
"""


class OrganizationMember(TypedDict):
    """The membership of a person in an organization."""

    id: str
    """The id of the membership."""

    organization_id: str
    """The id of the organization."""

    user_id: str
    """The id of the user. Until the person accepts the invitation, it is the id of the
    membership.
    """

    email: str
    """The e-mail address, unique in the organization."""

    display_name: str
    """The display name."""

    first_name: str
    """The first name; empty text when unknown."""

    last_name: str
    """The last name; empty text when unknown."""

    role: str
    """The role. `admin` and `manager` can access all records of the organization; members with
    any other role only their own.
    """

    status: MemberStatus
    """The status of the membership. It is `invited` until the person accepts the invitation."""

    is_primary: bool
    """Whether this is the primary membership of the person. The first accepted membership is
    primary; afterwards only the person can change it.
    """

    external_id: str
    """The id of the member in an external system; empty text when there is none."""

    created_at: str
    """The time at which the membership was created."""

    updated_at: str
    """The time of the last change, unique within the organization. Serves as the version of the
    membership.
    """


DefinitionScope = Literal["standard", "organization"]
"""The organizations that can use a definition.

- `standard`: Every organization can use the definition: it belongs to the shared catalogue.
- `organization`: Only the organization that owns the definition can use it.
"""


class JobRole(TypedDict):
    """A role of members on site. It can require qualifications."""

    id: str
    """The id of the definition."""

    organization_id: str
    """The organization that owns the definition."""

    slug: str
    """The slug, unique in the owning organization."""

    name: str
    """The name."""

    description: str
    """The description; empty text when there is none."""

    scope: DefinitionScope
    """The organizations that can use the definition."""

    status: DefinitionStatus
    """The status of the definition: `active` or `archived`."""

    created_at: str
    """The time at which the definition was created."""

    updated_at: str
    """The time of the last change. Serves as the version of the definition."""


class JobRoleUpdate(TypedDict):
    """The properties of a job role to change. An omitted property keeps its value."""

    slug: NotRequired[str]
    """The slug, unique in the organization."""

    name: NotRequired[str]
    """The name."""

    description: NotRequired[str]
    """The description."""


class JobRoleAssign(TypedDict):
    """The properties of a job role assignment."""

    is_primary: NotRequired[bool]
    """Whether this becomes the main job role of the member. When omitted, an existing assignment
    keeps its value and a new one gets false.
    """


class JobRoleAssignment(TypedDict):
    """The assignment of a job role to a member."""

    organization_member_id: str
    """The id of the member."""

    job_role_id: str
    """The id of the job role."""

    is_primary: bool
    """Whether this is the main job role of the member. A member has at most one."""

    assigned_at: str
    """The time at which the job role was assigned."""

    created_at: str
    """The time at which the assignment was created."""

    updated_at: str
    """The time of the last change of the assignment."""


class CertificationTypeCreate(TypedDict):
    """A new certification type."""

    slug: NotRequired[str | None]
    """The slug, unique in the organization. Derived from the title or name when omitted."""

    description: NotRequired[str | None]
    """The description."""

    title: str
    """The title."""


class CertificationType(TypedDict):
    """A kind of certification, such as a first-aid certificate."""

    id: str
    """The id of the definition."""

    slug: str
    """The slug, unique in the owning organization."""

    title: str
    """The title."""

    description: str
    """The description; empty text when there is none."""

    scope: DefinitionScope
    """The organizations that can use the definition."""

    status: DefinitionStatus
    """The status of the definition: `active` or `archived`."""

    organization_id: str
    """The organization that owns the definition."""

    created_at: str
    """The time at which the definition was created."""

    updated_at: str
    """The time of the last change. Serves as the version of the definition."""


class QualificationCreate(TypedDict):
    """A new qualification."""

    slug: NotRequired[str | None]
    """The slug, unique in the organization. Derived from the title or name when omitted."""

    description: NotRequired[str | None]
    """The description."""

    name: str
    """The name."""


class Qualification(TypedDict):
    """A named set of required certification types. A member who holds them is qualified."""

    id: str
    """The id of the definition."""

    organization_id: str
    """The organization that owns the definition."""

    slug: str
    """The slug, unique in the owning organization."""

    name: str
    """The name."""

    description: str
    """The description; empty text when there is none."""

    scope: DefinitionScope
    """The organizations that can use the definition."""

    status: DefinitionStatus
    """The status of the definition: `active` or `archived`."""

    created_at: str
    """The time at which the definition was created."""

    updated_at: str
    """The time of the last change. Serves as the version of the definition."""


class QualificationRequirement(TypedDict):
    """A certification type that a qualification requires or lists as optional."""

    qualification_id: str
    """The id of the qualification."""

    certification_type_id: str
    """The id of the certification type."""

    is_required: bool
    """Whether the certification type is required; an optional one does not affect the result."""

    created_at: str
    """The time at which the requirement was added."""

    updated_at: str
    """The time of the last change of the requirement."""


class RequirementInput(TypedDict):
    """One requirement of a qualification."""

    certification_type_id: str
    """An active certification type that the organization can use."""

    is_required: NotRequired[bool]
    """Whether the certification type is required; an optional one does not affect the result."""


class RequirementsReplace(TypedDict):
    """The complete requirements of a qualification."""

    requirements: list[RequirementInput]
    """All requirements, in order: up to 200, each certification type once. They replace the
    stored ones.
    """


QualificationStatus = Literal["qualified", "not_qualified"]
"""The status of a member for a qualification.

- `qualified`: The member holds every required certification, and at least one is required.
- `not_qualified`: The member lacks a required certification, or the qualification requires
none.
"""


class QualificationResult(TypedDict):
    """The result of a member for a qualification on a day (UTC), computed from the certification
    records.
    """

    organization_member_id: str
    """The id of the member."""

    qualification_id: str
    """The id of the qualification."""

    status: QualificationStatus
    """Whether the member is qualified."""

    met_requirement_count: int
    """The number of required certification types that the member holds."""

    total_requirement_count: int
    """The number of required certification types."""

    missing_certification_type_ids: list[str]
    """The ids of the required certification types that the member lacks, in the order of the
    requirements.
    """

    evaluated_at: str
    """The time at which the result was computed."""


class IdentityUser(TypedDict):
    """The user."""

    id: str
    """The id of the user."""

    email: str
    """The e-mail address with which the user signs in."""

    display_name: str
    """The display name."""


class IdentityApp(TypedDict):
    """The app."""

    client_id: str
    """The OAuth client id."""

    name: str
    """The name of the app."""


class IdentityOrganization(TypedDict):
    """The organizations of the caller, the primary one first."""

    id: str
    """The id of the organization."""

    slug: str
    """The slug."""

    name: str
    """The name."""

    organization_member_id: str
    """The id of the caller's membership in the organization."""

    role: str
    """The caller's role in the organization."""

    is_primary: bool
    """Whether this is the organization of the caller's primary membership."""

    approved_scopes: list[str]
    """The API scopes that the app can currently use in the organization."""

    approval_required: bool
    """Whether an API scope of the app still requires approval by an admin of the organization."""


class Identity(TypedDict):
    """The user, app and permissions of the access token."""

    user: IdentityUser
    """The user."""

    app: IdentityApp
    """The app."""

    api_scopes: list[str]
    """The API scopes that the app is registered for."""

    scopes: list[str]
    """The OpenID Connect scopes of the access token."""

    organizations: list[IdentityOrganization]
    """The organizations of the caller, the primary one first."""
