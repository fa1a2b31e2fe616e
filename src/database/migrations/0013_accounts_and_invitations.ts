import { Migration } from '@mikro-orm/migrations';

/**
 * Accounts belong to people, memberships to organizations: a membership references an account only
 * after the person accepted it. Until then `user_id` is the id of the membership itself, so
 * `user_id` no longer references `users`.
 *
 * Existing rows: every account keeps its password, its passkeys and its active memberships. No
 * address counts as proven, because it was not recorded which links were mailed. An account that
 * can sign in, has one membership and owns no app is managed by that organization. Memberships that
 * were never accepted get their placeholder, as changes that synchronizing clients see. Old links
 * end: each of them opened an account, and not a membership.
 */
export class AccountsAndInvitations extends Migration {
  override up(): void {
    this.addSql(`
      alter table users
        add column email_proven_at timestamptz,
        add column address text,
        add column managed_by uuid;
      alter table passkeys add column is_confirmed boolean not null default true;
      alter table one_time_links
        add column is_mailed boolean not null default false,
        add column organization_id uuid,
        add column created_at timestamptz not null default now();

      create table invitations (
        organization_id uuid not null,
        member_id uuid not null,
        secret_hash bytea not null constraint invitations_secret_key unique,
        email text not null,
        sent_by text not null check (sent_by in ('mail', 'operator', 'admin')),
        account_id uuid references users on delete cascade,
        expires_at timestamptz not null,
        primary key (organization_id, member_id),
        foreign key (organization_id, member_id) references organization_members on delete cascade
      );
      create index invitations_expiry on invitations (expires_at);
      create index invitations_of_account on invitations (account_id) where account_id is not null;

      create table unsettled_members (
        organization_id uuid not null,
        member_id uuid not null,
        due_at timestamptz not null,
        primary key (organization_id, member_id)
      );

      alter table organization_members drop constraint organization_members_user_id_fkey;
      alter table certifications drop constraint certifications_user_id_fkey;
    `);

    this.addSql(`
      -- because these links open accounts whatever organization made them, which is the fault that this release mends
      delete from one_time_links where purpose = 'invitation';
    `);

    this.addSql(`
      -- because each account is changed once, by its key, and nothing else writes these columns yet
      update users u set managed_by = sole.organization_id
      from (
        select user_id, min(organization_id::text)::uuid as organization_id from organization_members
        where status = 'active' group by user_id having count(*) = 1
      ) sole
      where sole.user_id = u.id
        and (u.password_hash is not null or exists (select from passkeys p where p.user_id = u.id))
        and not exists (select from organization_members m where m.user_id = u.id and m.organization_id <> sole.organization_id)
        and not exists (select from apps a where a.owner_id = u.id);
    `);

    this.addSql(`
      -- because both indexes are partial and have few rows or none: the table is read once, in less than a second for a million rows
      create index users_by_address on users (lower(address)) where address is not null;
      -- because it is alike
      create index organization_members_invited on organization_members (lower(email)) where status = 'invited';
    `);

    this.addSql(`
      do $$
      declare
        owner uuid;
        member record;
        record_ record;
        stamp timestamptz;
      begin
        create temporary table unaccepted on commit drop as
          select m.organization_id, m.id, m.user_id, m.is_primary from organization_members m
          where m.status = 'invited' or (m.status = 'suspended' and not exists (
            select from users u where u.id = m.user_id
              and (u.password_hash is not null or exists (select from passkeys p where p.user_id = u.id))));
        for owner in select distinct organization_id from unaccepted order by 1 loop
          insert into organization_clocks as clock (organization_id, ticked_at)
            values (owner, greatest(clock_timestamp(), latest_tick() + interval '1 microsecond'))
            on conflict (organization_id) do update
            set ticked_at = greatest(clock_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond')
            returning ticked_at into stamp;
          for member in select * from unaccepted where organization_id = owner order by id loop
            update organization_members set user_id = id, is_primary = false, updated_at = stamp
              where organization_id = owner and id = member.id;
            insert into audit_events (id, organization_id, action, subject_type, subject_id, changes, occurred_at)
              values (gen_random_uuid(), owner, 'update', 'OrganizationMember', member.id::text,
                jsonb_build_object('userId', jsonb_build_array(member.user_id, member.id), 'isPrimary', jsonb_build_array(member.is_primary, false)), stamp);
            stamp := stamp + interval '1 microsecond';
            for record_ in select id, user_id from certifications
              where organization_id = owner and organization_member_id = member.id order by id loop
              update certifications set user_id = member.id, updated_at = stamp where organization_id = owner and id = record_.id;
              insert into audit_events (id, organization_id, action, subject_type, subject_id, changes, occurred_at)
                values (gen_random_uuid(), owner, 'update', 'Certification', record_.id::text,
                  jsonb_build_object('userId', jsonb_build_array(record_.user_id, member.id)), stamp);
              insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id,
                certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method)
              select organization_id, id, stamp, (stamp at time zone 'utc')::date, organization_member_id, certification_type_id, source, issued_on,
                expires_on, issuer_name, lifecycle_status, verification_status, verification_method
              from certifications where organization_id = owner and id = record_.id;
              stamp := stamp + interval '1 microsecond';
            end loop;
          end loop;
          update organization_clocks set ticked_at = stamp where organization_id = owner;
        end loop;
      end $$;
    `);
  }
}
