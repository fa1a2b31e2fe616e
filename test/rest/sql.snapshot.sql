-- Authentication: every operation


-- CreateMyCertification: POST /v1/certifications
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with basis as (select m.user_id
  from organization_members m, certification_types t
  where m.organization_id = $1 and m.id = $2 and t.id = $3 and t.status = 'active' and (t.organization_id = $1 or t.scope = 'standard')), caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $4::text and g.expires_at > clock_timestamp() and u.id = $5::uuid and a.id = $6::uuid and a.api_scopes = $7::text[] and a.is_first_party = $8::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $9::text) and ($10::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $11::uuid and m.id = $10::uuid and m.user_id = u.id and m.status = 'active' and m.role = $12::text and p.scopes is not distinct
  from $13::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $14::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from basis, caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $14 and expires_at > now()) then pg_notify('lanyard_ticks', $14::text) end), written as (insert into certifications as t (organization_id,id,external_id,external_source,issued_on,expires_on,issuer_name,serial_number,organization_member_id,certification_type_id,source,lifecycle_status,verification_status,created_at,updated_at,user_id)
  select own.organization_id,own.id,own.external_id,own.external_source,own.issued_on,own.expires_on,own.issuer_name,own.serial_number,own.organization_member_id,own.certification_type_id,own.source,own.lifecycle_status,own.verification_status,tick.at,tick.at,basis.user_id
  from jsonb_populate_record(null::certifications, $15::jsonb) as own, tick, basis
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes || jsonb_build_object('userId', jsonb_build_array(null, basis.user_id))
  from jsonb_populate_record(null::audit_events, $16::jsonb) as own, tick, basis, written), version as (insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method, reason, user_id, app_id, request_id)
  select c.organization_id, c.id, c.updated_at, coalesce(given.effective_on, (c.updated_at at time zone 'utc')::date), c.organization_member_id, c.certification_type_id, c.source, c.issued_on, c.expires_on, c.issuer_name, c.lifecycle_status, c.verification_status, c.verification_method, given.reason, $19, $20, $21
  from written c, (select $17::date, $18::text) as given (effective_on, reason))
  select c.id as "id", c.organization_id as "organizationId", c.updated_at as "updatedAt", c.organization_member_id as "organizationMemberId", c.user_id as "userId", c.external_id as "externalId", c.external_source as "externalSource", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus", c.source as "source", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber", c.verification_status as "verificationStatus", c.verification_method as "verificationMethod", c.last_verified_at as "lastVerifiedAt", c.created_at as "createdAt", t.id as "certificationType.id", t.slug as "certificationType.slug", t.title as "certificationType.title", t.status as "certificationType.status"
  from written c
  join certification_types t on t.id = c.certification_type_id;

-- CreateCertification: POST /v1/organizations/{organization_id}/certifications
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with basis as (select m.user_id
  from organization_members m, certification_types t
  where m.organization_id = $1 and m.id = $2 and t.id = $3 and t.status = 'active' and (t.organization_id = $1 or t.scope = 'standard')), caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $4::text and g.expires_at > clock_timestamp() and u.id = $5::uuid and a.id = $6::uuid and a.api_scopes = $7::text[] and a.is_first_party = $8::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $9::text) and ($10::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $11::uuid and m.id = $10::uuid and m.user_id = u.id and m.status = 'active' and m.role = $12::text and p.scopes is not distinct
  from $13::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $14::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from basis, caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $14 and expires_at > now()) then pg_notify('lanyard_ticks', $14::text) end), written as (insert into certifications as t (organization_id,id,external_id,external_source,issued_on,expires_on,issuer_name,serial_number,organization_member_id,certification_type_id,source,lifecycle_status,verification_status,created_at,updated_at,user_id)
  select own.organization_id,own.id,own.external_id,own.external_source,own.issued_on,own.expires_on,own.issuer_name,own.serial_number,own.organization_member_id,own.certification_type_id,own.source,own.lifecycle_status,own.verification_status,tick.at,tick.at,basis.user_id
  from jsonb_populate_record(null::certifications, $15::jsonb) as own, tick, basis
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes || jsonb_build_object('userId', jsonb_build_array(null, basis.user_id))
  from jsonb_populate_record(null::audit_events, $16::jsonb) as own, tick, basis, written), version as (insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method, reason, user_id, app_id, request_id)
  select c.organization_id, c.id, c.updated_at, coalesce(given.effective_on, (c.updated_at at time zone 'utc')::date), c.organization_member_id, c.certification_type_id, c.source, c.issued_on, c.expires_on, c.issuer_name, c.lifecycle_status, c.verification_status, c.verification_method, given.reason, $19, $20, $21
  from written c, (select $17::date, $18::text) as given (effective_on, reason))
  select c.id as "id", c.organization_id as "organizationId", c.updated_at as "updatedAt", c.organization_member_id as "organizationMemberId", c.user_id as "userId", c.external_id as "externalId", c.external_source as "externalSource", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus", c.source as "source", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber", c.verification_status as "verificationStatus", c.verification_method as "verificationMethod", c.last_verified_at as "lastVerifiedAt", c.created_at as "createdAt", t.id as "certificationType.id", t.slug as "certificationType.slug", t.title as "certificationType.title", t.status as "certificationType.status"
  from written c
  join certification_types t on t.id = c.certification_type_id;

-- ListMyCertifications: GET /v1/certifications
select c.id as "id", c.organization_id as "organizationId", c.updated_at as "updatedAt", c.organization_member_id as "organizationMemberId", c.user_id as "userId", c.external_id as "externalId", c.external_source as "externalSource", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus", c.source as "source", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber", c.verification_status as "verificationStatus", c.verification_method as "verificationMethod", c.last_verified_at as "lastVerifiedAt", c.created_at as "createdAt", t.id as "certificationType.id", t.slug as "certificationType.slug", t.title as "certificationType.title", t.status as "certificationType.status"
  from certifications c
  join certification_types t on t.id = c.certification_type_id
  where c.organization_id = $3 and c.organization_member_id = $4 and c.updated_at > $1
  order by c.updated_at, c.id
  limit $2;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- GetMyCertification: GET /v1/certifications/{certification_id}
select c.id as "id", c.organization_id as "organizationId", c.updated_at as "updatedAt", c.organization_member_id as "organizationMemberId", c.user_id as "userId", c.external_id as "externalId", c.external_source as "externalSource", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus", c.source as "source", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber", c.verification_status as "verificationStatus", c.verification_method as "verificationMethod", c.last_verified_at as "lastVerifiedAt", c.created_at as "createdAt", t.id as "certificationType.id", t.slug as "certificationType.slug", t.title as "certificationType.title", t.status as "certificationType.status"
  from certifications c
  join certification_types t on t.id = c.certification_type_id
  where c.organization_id = any($1) and c.id = $2 and c.organization_member_id = any($3);
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- ListCertifications: GET /v1/organizations/{organization_id}/certifications
select c.id as "id", c.organization_id as "organizationId", c.updated_at as "updatedAt", c.organization_member_id as "organizationMemberId", c.user_id as "userId", c.external_id as "externalId", c.external_source as "externalSource", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus", c.source as "source", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber", c.verification_status as "verificationStatus", c.verification_method as "verificationMethod", c.last_verified_at as "lastVerifiedAt", c.created_at as "createdAt", t.id as "certificationType.id", t.slug as "certificationType.slug", t.title as "certificationType.title", t.status as "certificationType.status"
  from certifications c
  join certification_types t on t.id = c.certification_type_id
  where c.organization_id = $3 and c.organization_member_id = $4 and c.external_id = $5 and c.external_source = $6 and c.updated_at > $1
  order by c.updated_at, c.id
  limit $2;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- UpdateCertification: PATCH /v1/organizations/{organization_id}/certifications/{certification_id}
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
begin;
select c.organization_id as "organizationId", c.id as "id", c.organization_member_id as "organizationMemberId", c.user_id as "userId", c.external_id as "externalId", c.external_source as "externalSource", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus", c.source as "source", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber", c.verification_status as "verificationStatus", c.verification_method as "verificationMethod", c.last_verified_at as "lastVerifiedAt", c.created_at as "createdAt", c.updated_at as "updatedAt"
  from certifications c
  where c.organization_id = $1 and c.id = $2 for no key
  update;
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $11::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $11 and expires_at > now()) then pg_notify('lanyard_ticks', $11::text) end), written as (update certifications t
  set (expires_on,external_id,external_source,issued_on,issuer_name,last_verified_at,serial_number,verification_method,verification_status,updated_at) = (select own.expires_on,own.external_id,own.external_source,own.issued_on,own.issuer_name,own.last_verified_at,own.serial_number,own.verification_method,own.verification_status,tick.at
  from jsonb_populate_record(t, given.row) as own)
  from (select $12::jsonb) as given (row), jsonb_populate_record(null::certifications, given.row) as k, tick
  where t.organization_id = k.organization_id and t.id = k.id
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes
  from jsonb_populate_record(null::audit_events, $13::jsonb) as own, tick, written), version as (insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method, reason, user_id, app_id, request_id)
  select c.organization_id, c.id, c.updated_at, coalesce(given.effective_on, (c.updated_at at time zone 'utc')::date), c.organization_member_id, c.certification_type_id, c.source, c.issued_on, c.expires_on, c.issuer_name, c.lifecycle_status, c.verification_status, c.verification_method, given.reason, $16, $17, $18
  from written c, (select $14::date, $15::text) as given (effective_on, reason))
  select
  from written;
select c.id as "id", c.organization_id as "organizationId", c.updated_at as "updatedAt", c.organization_member_id as "organizationMemberId", c.user_id as "userId", c.external_id as "externalId", c.external_source as "externalSource", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus", c.source as "source", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber", c.verification_status as "verificationStatus", c.verification_method as "verificationMethod", c.last_verified_at as "lastVerifiedAt", c.created_at as "createdAt", t.id as "certificationType.id", t.slug as "certificationType.slug", t.title as "certificationType.title", t.status as "certificationType.status"
  from certifications c
  join certification_types t on t.id = c.certification_type_id
  where c.organization_id = $1 and c.id = $2;
commit;

-- ListOrganizations: GET /v1/organizations
select o.id as "id", o.updated_at as "updatedAt", o.name as "name", o.slug as "slug", o.status as "status", o.created_at as "createdAt"
  from organizations o
  where o.id = $3 and o.updated_at > $1
  order by o.updated_at, o.id
  limit $2;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- GetOrganization: GET /v1/organizations/{organization_id}
select o.id as "id", o.updated_at as "updatedAt", o.name as "name", o.slug as "slug", o.status as "status", o.created_at as "createdAt"
  from organizations o
  where o.id = $1;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- CreateOrganizationMember: POST /v1/organizations/{organization_id}/organization-members
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $11::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $11 and expires_at > now()) then pg_notify('lanyard_ticks', $11::text) end), written as (insert into organization_members as t (organization_id,id,user_id,status,email,display_name,first_name,last_name,external_id,role,is_primary,created_at,updated_at)
  select own.organization_id,own.id,own.user_id,own.status,own.email,own.display_name,own.first_name,own.last_name,own.external_id,own.role,own.is_primary,tick.at,tick.at
  from jsonb_populate_record(null::organization_members, $12::jsonb) as own, tick
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes
  from jsonb_populate_record(null::audit_events, $13::jsonb) as own, tick, written)
  select m.id as "id", m.organization_id as "organizationId", m.updated_at as "updatedAt", m.user_id as "userId", m.email as "email", m.display_name as "displayName", m.first_name as "firstName", m.last_name as "lastName", m.role as "role", m.status as "status", m.is_primary as "isPrimary", m.external_id as "externalId", m.created_at as "createdAt"
  from written m;

-- ListOrganizationMembers: GET /v1/organizations/{organization_id}/organization-members
select m.id as "id", m.organization_id as "organizationId", m.updated_at as "updatedAt", m.user_id as "userId", m.email as "email", m.display_name as "displayName", m.first_name as "firstName", m.last_name as "lastName", m.role as "role", m.status as "status", m.is_primary as "isPrimary", m.external_id as "externalId", m.created_at as "createdAt"
  from organization_members m
  where m.organization_id = $3 and lower(m.email) = $4 and m.external_id = $5 and m.updated_at > $1
  order by m.updated_at, m.id
  limit $2;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- ListJobRoles: GET /v1/organizations/{organization_id}/job-roles
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
with horizon as materialized (select coalesce(min(ticked_at), 'infinity') as at
  from (
  select ticked_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, xmax::text::bigint as xid
  from organization_clocks
  where organization_id = any(array(select id
  from organizations
  where is_publisher) || $1::uuid[]) and xmax <> xmin offset 0) clock
  cross join lateral (select (next + ((xid - next + 2147483648) & 4294967295) - 2147483648)::text::xid8 as ticker offset 0) wide
  where xid <> 0 and case pg_xact_status(ticker) when 'in progress' then true when 'committed' then ticker >= pg_snapshot_xmin(pg_current_snapshot()) else false end)
  select *
  from ((select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from job_roles d
  where d.scope = 'standard' and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)
  union all (select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from job_roles d
  where d.organization_id = $4 and d.scope = 'organization' and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)) page
  order by "updatedAt", "id"
  limit $3;

-- UpdateJobRole: PATCH /v1/organizations/{organization_id}/job-roles/{job_role_id}
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
begin;
select d.id as "id", d.organization_id as "organizationId", d.slug as "slug", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt", d.updated_at as "updatedAt", d.name as "name"
  from job_roles d
  where d.id = $1 and d.organization_id = $2 for no key
  update;
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $11::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $11 and expires_at > now()) then pg_notify('lanyard_ticks', $11::text) end), written as (update job_roles t
  set (description,name,slug,updated_at) = (select own.description,own.name,own.slug,tick.at
  from jsonb_populate_record(t, given.row) as own)
  from (select $12::jsonb) as given (row), jsonb_populate_record(null::job_roles, given.row) as k, tick
  where t.id = k.id
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes
  from jsonb_populate_record(null::audit_events, $13::jsonb) as own, tick, written)
  select
  from written;
select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from job_roles d
  where d.id = $1 and (d.scope = 'standard' or d.organization_id = any($2::uuid[]));
commit;

-- AssignJobRole: PUT /v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
begin;
select 1
  from organization_members m, job_roles d
  where m.organization_id = $1 and m.id = $2 and d.id = $3 and d.status = 'active' and (d.scope = 'standard' or d.organization_id = any($4::uuid[])) for no key
  update of m;
select a.organization_id as "organizationId", a.organization_member_id as "organizationMemberId", a.job_role_id as "jobRoleId", a.is_primary as "isPrimary", a.assigned_at as "assignedAt", a.created_at as "createdAt", a.updated_at as "updatedAt"
  from member_job_roles a
  where a.organization_id = $1 and a.organization_member_id = $2 and a.job_role_id = $3 for no key
  update;
select job_role_id as "jobRoleId"
  from member_job_roles
  where organization_id = $1 and organization_member_id = $2 and is_primary and job_role_id <> $3;
insert into organization_clocks as clock (organization_id, ticked_at)
  select $1::uuid, greatest(clock_timestamp(), latest_tick() + interval '1 microsecond') + ($2::int - 1) * interval '1 microsecond'
  on conflict (organization_id) do
  update
  set ticked_at = greatest(clock_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + ($2::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $1 and expires_at > now()) then pg_notify('lanyard_ticks', $1::text) end;
select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]));
update member_job_roles t
  set (is_primary,updated_at) = (select own.is_primary,own.updated_at
  from jsonb_populate_record(t, given.row) as own)
  from jsonb_array_elements($1::jsonb) as given (row), jsonb_populate_record(null::member_job_roles, given.row) as k
  where t.organization_id = k.organization_id and t.organization_member_id = k.organization_member_id and t.job_role_id = k.job_role_id;
with written as (insert into member_job_roles as t (organization_id,organization_member_id,job_role_id,is_primary,created_at,updated_at,assigned_at)
  select own.organization_id,own.organization_member_id,own.job_role_id,own.is_primary,own.created_at,own.updated_at,own.assigned_at
  from jsonb_populate_recordset(null::member_job_roles, $1::jsonb) as own
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,changes,occurred_at)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,own.changes,own.occurred_at
  from jsonb_populate_recordset(null::audit_events, $2::jsonb) as own)
  select
  from written;
select a.organization_member_id as "organizationMemberId", a.job_role_id as "jobRoleId", a.is_primary as "isPrimary", a.assigned_at as "assignedAt", a.created_at as "createdAt", a.updated_at as "updatedAt"
  from member_job_roles a
  where a.organization_id = $1 and a.organization_member_id = $2 and a.job_role_id = $3;
commit;

-- RemoveJobRole: DELETE /v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
begin;
select a.organization_id as "organizationId", a.organization_member_id as "organizationMemberId", a.job_role_id as "jobRoleId", a.is_primary as "isPrimary", a.assigned_at as "assignedAt", a.created_at as "createdAt", a.updated_at as "updatedAt"
  from member_job_roles a
  where a.organization_id = $1 and a.organization_member_id = $2 and a.job_role_id = $3 for no key
  update;
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $11::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $11 and expires_at > now()) then pg_notify('lanyard_ticks', $11::text) end), written as (delete
  from member_job_roles t using jsonb_populate_record(null::member_job_roles, $12::jsonb) as k, tick
  where t.organization_id = k.organization_id and t.organization_member_id = k.organization_member_id and t.job_role_id = k.job_role_id
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes
  from jsonb_populate_record(null::audit_events, $13::jsonb) as own, tick, written)
  select
  from written;
commit;

-- CreateCertificationType: POST /v1/organizations/{organization_id}/certification-types
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $11::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $11 and expires_at > now()) then pg_notify('lanyard_ticks', $11::text) end), written as (insert into certification_types as t (id,slug,description,title,organization_id,scope,status,created_at,updated_at)
  select own.id,own.slug,own.description,own.title,own.organization_id,own.scope,own.status,tick.at,tick.at
  from jsonb_populate_record(null::certification_types, $12::jsonb) as own, tick
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes
  from jsonb_populate_record(null::audit_events, $13::jsonb) as own, tick, written)
  select d.id as "id", d.updated_at as "updatedAt", d.slug as "slug", d.title as "title", d.description as "description", d.scope as "scope", d.status as "status", d.organization_id as "organizationId", d.created_at as "createdAt"
  from written d;

-- ListCertificationTypes: GET /v1/organizations/{organization_id}/certification-types
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
with horizon as materialized (select coalesce(min(ticked_at), 'infinity') as at
  from (
  select ticked_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, xmax::text::bigint as xid
  from organization_clocks
  where organization_id = any(array(select id
  from organizations
  where is_publisher) || $1::uuid[]) and xmax <> xmin offset 0) clock
  cross join lateral (select (next + ((xid - next + 2147483648) & 4294967295) - 2147483648)::text::xid8 as ticker offset 0) wide
  where xid <> 0 and case pg_xact_status(ticker) when 'in progress' then true when 'committed' then ticker >= pg_snapshot_xmin(pg_current_snapshot()) else false end)
  select *
  from ((select d.id as "id", d.updated_at as "updatedAt", d.slug as "slug", d.title as "title", d.description as "description", d.scope as "scope", d.status as "status", d.organization_id as "organizationId", d.created_at as "createdAt"
  from certification_types d
  where d.scope = 'standard' and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)
  union all (select d.id as "id", d.updated_at as "updatedAt", d.slug as "slug", d.title as "title", d.description as "description", d.scope as "scope", d.status as "status", d.organization_id as "organizationId", d.created_at as "createdAt"
  from certification_types d
  where d.organization_id = $4 and d.scope = 'organization' and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)) page
  order by "updatedAt", "id"
  limit $3;

-- GetCertificationType: GET /v1/organizations/{organization_id}/certification-types/{certification_type_id}
select d.id as "id", d.updated_at as "updatedAt", d.slug as "slug", d.title as "title", d.description as "description", d.scope as "scope", d.status as "status", d.organization_id as "organizationId", d.created_at as "createdAt"
  from certification_types d
  where d.id = $1 and (d.scope = 'standard' or d.organization_id = any($2::uuid[]));
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- DiscoverCertificationType: GET /v1/certification-types/{certification_type_id}
select d.id as "id", d.updated_at as "updatedAt", d.slug as "slug", d.title as "title", d.description as "description", d.scope as "scope", d.status as "status", d.organization_id as "organizationId", d.created_at as "createdAt"
  from certification_types d
  where d.id = $1 and (d.scope = 'standard' or d.organization_id = any($2::uuid[]));
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- CreateQualification: POST /v1/organizations/{organization_id}/qualifications
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
select
  from organization_clocks
  where organization_id = $1::uuid for no key
  update;
with caller as (select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]))), tick as (insert into organization_clocks as clock (organization_id, ticked_at)
  select $11::uuid, greatest(statement_timestamp(), latest_tick() + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  from caller
  on conflict (organization_id) do
  update
  set ticked_at = greatest(statement_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + (1::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $11 and expires_at > now()) then pg_notify('lanyard_ticks', $11::text) end), written as (insert into qualifications as t (id,slug,description,name,organization_id,scope,status,created_at,updated_at)
  select own.id,own.slug,own.description,own.name,own.organization_id,own.scope,own.status,tick.at,tick.at
  from jsonb_populate_record(null::qualifications, $12::jsonb) as own, tick
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,occurred_at,changes)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,tick.at,own.changes
  from jsonb_populate_record(null::audit_events, $13::jsonb) as own, tick, written)
  select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from written d;

-- ListQualifications: GET /v1/organizations/{organization_id}/qualifications
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
with horizon as materialized (select coalesce(min(ticked_at), 'infinity') as at
  from (
  select ticked_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, xmax::text::bigint as xid
  from organization_clocks
  where organization_id = any(array(select id
  from organizations
  where is_publisher) || $1::uuid[]) and xmax <> xmin offset 0) clock
  cross join lateral (select (next + ((xid - next + 2147483648) & 4294967295) - 2147483648)::text::xid8 as ticker offset 0) wide
  where xid <> 0 and case pg_xact_status(ticker) when 'in progress' then true when 'committed' then ticker >= pg_snapshot_xmin(pg_current_snapshot()) else false end)
  select *
  from ((select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from qualifications d
  where d.scope = 'standard' and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)
  union all (select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from qualifications d
  where d.organization_id = $4 and d.scope = 'organization' and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)) page
  order by "updatedAt", "id"
  limit $3;

-- GetQualification: GET /v1/organizations/{organization_id}/qualifications/{qualification_id}
select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from qualifications d
  where d.id = $1 and (d.scope = 'standard' or d.organization_id = any($2::uuid[]));
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- DiscoverQualifications: GET /v1/qualifications
select set_config('plan_cache_mode', 'auto', true);
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
with horizon as materialized (select coalesce(min(ticked_at), 'infinity') as at
  from (
  select ticked_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, xmax::text::bigint as xid
  from organization_clocks
  where organization_id = any(array(select id
  from organizations
  where is_publisher) || $1::uuid[]) and xmax <> xmin offset 0) clock
  cross join lateral (select (next + ((xid - next + 2147483648) & 4294967295) - 2147483648)::text::xid8 as ticker offset 0) wide
  where xid <> 0 and case pg_xact_status(ticker) when 'in progress' then true when 'committed' then ticker >= pg_snapshot_xmin(pg_current_snapshot()) else false end)
  select *
  from ((select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from qualifications d
  where d.scope = 'standard' and lower(d.name || ' ' || d.slug || ' ' || d.description) like lower($4) and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)
  union all (select d.id as "id", d.updated_at as "updatedAt", d.organization_id as "organizationId", d.slug as "slug", d.name as "name", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt"
  from qualifications d
  where d.organization_id = $5 and d.scope = 'organization' and lower(d.name || ' ' || d.slug || ' ' || d.description) like lower($6) and d.updated_at <= (select at
  from horizon) and d.updated_at > $2
  order by d.updated_at, d.id
  limit $3)) page
  order by "updatedAt", "id"
  limit $3;

-- ListRequirements: GET /v1/organizations/{organization_id}/qualifications/{qualification_id}/requirements
select r.qualification_id as "qualificationId", r.certification_type_id as "certificationTypeId", r.is_required as "isRequired", r.created_at as "createdAt", r.updated_at as "updatedAt", d.updated_at as version
  from qualifications d
  left join qualification_requirements r on r.qualification_id = d.id
  where d.id = $1 and (d.scope = 'standard' or d.organization_id = any($2::uuid[]))
  order by r.position;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- ReplaceRequirements: PUT /v1/organizations/{organization_id}/qualifications/{qualification_id}/requirements
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);
begin;
select d.id as "id", d.organization_id as "organizationId", d.slug as "slug", d.description as "description", d.scope as "scope", d.status as "status", d.created_at as "createdAt", d.updated_at as "updatedAt", d.name as "name"
  from qualifications d
  where d.id = $1 and d.organization_id = $2 for no key
  update;
select d.id, s.position, s.is_required as "isRequired", (d.status = 'active' or s.position is not null) and (d.scope = 'standard' or d.organization_id = any($2::uuid[])) as "isAvailable"
  from certification_types d
  left join qualification_requirements s on s.qualification_id = $3 and s.certification_type_id = d.id
  where d.id = any($1::uuid[] || array(select certification_type_id
  from qualification_requirements
  where qualification_id = $3));
insert into organization_clocks as clock (organization_id, ticked_at)
  select $1::uuid, greatest(clock_timestamp(), latest_tick() + interval '1 microsecond') + ($2::int - 1) * interval '1 microsecond'
  on conflict (organization_id) do
  update
  set ticked_at = greatest(clock_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + ($2::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select
  from change_listeners
  where organization_id = $1 and expires_at > now()) then pg_notify('lanyard_ticks', $1::text) end;
select
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean and not exists (select
  from revoked_tokens r
  where r.jti = $6::text) and ($7::uuid is null or exists (
  select
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text and p.scopes is not distinct
  from $10::text[]));
delete
  from qualification_requirements t using jsonb_populate_recordset(null::qualification_requirements, $1::jsonb) as k
  where t.qualification_id = k.qualification_id and t.certification_type_id = k.certification_type_id;
update qualification_requirements t
  set (is_required,position,updated_at) = (select own.is_required,own.position,own.updated_at
  from jsonb_populate_record(t, given.row) as own)
  from jsonb_array_elements($1::jsonb) as given (row), jsonb_populate_record(null::qualification_requirements, given.row) as k
  where t.qualification_id = k.qualification_id and t.certification_type_id = k.certification_type_id;
with written as (update qualifications t
  set (updated_at) = (select own.updated_at
  from jsonb_populate_record(t, given.row) as own)
  from jsonb_array_elements($1::jsonb) as given (row), jsonb_populate_record(null::qualifications, given.row) as k
  where t.id = k.id
  returning t.*), event as (insert into audit_events as t (id,organization_id,user_id,app_id,request_id,action,subject_type,subject_id,changes,occurred_at)
  select own.id,own.organization_id,own.user_id,own.app_id,own.request_id,own.action,own.subject_type,own.subject_id,own.changes,own.occurred_at
  from jsonb_populate_recordset(null::audit_events, $2::jsonb) as own)
  select
  from written;
select r.qualification_id as "qualificationId", r.certification_type_id as "certificationTypeId", r.is_required as "isRequired", r.created_at as "createdAt", r.updated_at as "updatedAt"
  from qualification_requirements r
  where r.qualification_id = $1
  order by r.position;
commit;

-- GetMyResult: GET /v1/qualification-results/{qualification_id}
select organization_id as "organizationId", scope
  from qualifications
  where id = $1 and status = 'active';
select subject.number::int - 1 as subject, q.id as "qualificationId", r.required, r.held
  from unnest($1::uuid[], $2::uuid[]) with ordinality as subject(organization_id, member_id, number)
  join organization_members m on m.organization_id = subject.organization_id and m.id = subject.member_id
  cross join lateral (
  select id
  from ( (select id
  from qualifications
  where organization_id = subject.organization_id and scope = 'organization' and status = 'active' and id > $3 and ($5::uuid is null or id = $5)
  order by id
  limit $4)
  union all (select id
  from qualifications
  where scope = 'standard' and status = 'active' and id > $3 and ($5::uuid is null or id = $5)
  order by id
  limit $4)) usable
  order by id
  limit $4) q
  cross join lateral (
  select array_agg(c.certification_type_id) as types
  from certifications c
  where c.organization_id = subject.organization_id and c.organization_member_id = subject.member_id and c.lifecycle_status = 'active' and case c.source when 'self-reported' then c.verification_status = 'verified' else c.verification_status <> 'failed' end and (c.issued_on is null or c.issued_on <= $6::date) and (c.expires_on >= $6::date or c.expires_on is null and c.issued_on is not null)) member
  cross join lateral (
  select string_agg(r.certification_type_id::text, ','
  order by r.position) as required, string_agg(r.certification_type_id::text, ',') filter (where r.certification_type_id = any(member.types)) as held
  from qualification_requirements r
  where r.qualification_id = q.id and r.is_required) r
  order by subject.number, q.id;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- ListResults: GET /v1/organizations/{organization_id}/organization-members/{organization_member_id}/qualifications
select subject.number::int - 1 as subject, q.id as "qualificationId", r.required, r.held
  from unnest($1::uuid[], $2::uuid[]) with ordinality as subject(organization_id, member_id, number)
  join organization_members m on m.organization_id = subject.organization_id and m.id = subject.member_id
  cross join lateral (
  select id
  from ( (select id
  from qualifications
  where organization_id = subject.organization_id and scope = 'organization' and status = 'active' and id > $3 and ($5::uuid is null or id = $5)
  order by id
  limit $4)
  union all (select id
  from qualifications
  where scope = 'standard' and status = 'active' and id > $3 and ($5::uuid is null or id = $5)
  order by id
  limit $4)) usable
  order by id
  limit $4) q
  cross join lateral (
  select array_agg(c.certification_type_id) as types
  from certifications c
  where c.organization_id = subject.organization_id and c.organization_member_id = subject.member_id and c.lifecycle_status = 'active' and case c.source when 'self-reported' then c.verification_status = 'verified' else c.verification_status <> 'failed' end and (c.issued_on is null or c.issued_on <= $6::date) and (c.expires_on >= $6::date or c.expires_on is null and c.issued_on is not null)) member
  cross join lateral (
  select string_agg(r.certification_type_id::text, ','
  order by r.position) as required, string_agg(r.certification_type_id::text, ',') filter (where r.certification_type_id = any(member.types)) as held
  from qualification_requirements r
  where r.qualification_id = q.id and r.is_required) r
  order by subject.number, q.id;
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

-- GetMe: GET /v1/me
select token.jti, json_build_object( 'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name, 'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes, 'memberships', coalesce((
  select json_agg(json_build_object( 'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary, 'approvedScopes', p.scopes)
  order by m.is_primary desc, o.slug)
  from organization_members m
  join organizations o on o.id = m.organization_id and o.status = 'active'
  left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
  where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select
  from revoked_tokens r
  where r.jti = token.jti);

