-- The create as PostGraphile's documentation does what is more than an insert: a function. It writes what Lanyard's transaction writes.
comment on column certifications.external_source is E'@behavior +filterBy';

create schema peer;

create type peer.new_certification as (
  organization_member_id uuid,
  certification_type_id uuid,
  issued_on date,
  expires_on date,
  issuer_name text
);

create function peer.create_record(in_organization uuid, record peer.new_certification, caller uuid, app uuid, key text default null)
returns certifications language plpgsql volatile as $$
declare
  made certifications;
  at timestamptz;
  owner uuid;
begin
  if key is not null then
    if not pg_try_advisory_xact_lock(hashtextextended(app || ' ' || caller || ' ' || key, 0)) then raise exception 'in progress'; end if;
    insert into idempotency_records (app_id, user_id, key, fingerprint, expires_at)
    values (app, caller, key, encode(sha256(convert_to(record::text, 'UTF8')), 'base64'), clock_timestamp() + interval '24 hours');
  end if;
  select user_id into strict owner from organization_members where organization_id = in_organization and id = record.organization_member_id;
  perform from certification_types
  where id = record.certification_type_id and status = 'active' and (organization_id = in_organization or scope = 'standard');
  if not found then raise exception 'no such type'; end if;
  insert into organization_clocks as clock (organization_id, ticked_at) values (in_organization, clock_timestamp())
  on conflict (organization_id) do update set ticked_at = greatest(clock_timestamp(), clock.ticked_at + interval '1 microsecond')
  returning ticked_at into at;
  insert into certifications (organization_id, id, organization_member_id, user_id, certification_type_id, source, issued_on, expires_on, issuer_name,
    created_at, updated_at)
  values (in_organization, gen_random_uuid(), record.organization_member_id, owner, record.certification_type_id, 'api', record.issued_on,
    record.expires_on, record.issuer_name, at, at)
  returning * into made;
  insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source,
    issued_on, expires_on, issuer_name, lifecycle_status, verification_status, user_id, app_id)
  values (made.organization_id, made.id, at, (at at time zone 'utc')::date, made.organization_member_id, made.certification_type_id, made.source,
    made.issued_on, made.expires_on, made.issuer_name, made.lifecycle_status, made.verification_status, caller, app);
  insert into audit_events (id, organization_id, user_id, app_id, action, subject_type, subject_id, changes, occurred_at)
  values (gen_random_uuid(), in_organization, caller, app, 'create', 'Certification', made.id::text, to_jsonb(record), at);
  if key is not null then
    update idempotency_records i set status = 200, body = to_jsonb(made)::text where i.app_id = app and i.user_id = caller and i.key = create_record.key;
  end if;
  return made;
end $$;
