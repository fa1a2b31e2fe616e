import { Migration } from '@mikro-orm/migrations';

/**
 * Authors of changes and past states of records are facts that were checked when they were written,
 * so they are no foreign keys. As foreign keys they were checked twice at each write, locked rows
 * that all writers share (an app, a person, a type), and made the deletion of an app read and
 * change the whole history.
 */
export class WhatWasIsNoReference extends Migration {
  override up(): void {
    this.addSql(`
      alter table certification_history
        drop constraint certification_history_certification_type_id_fkey,
        drop constraint certification_history_organization_id_organization_member__fkey,
        drop constraint certification_history_user_id_fkey,
        drop constraint certification_history_app_id_fkey;
      alter table audit_events drop constraint audit_events_user_id_fkey;
      alter table idempotency_records
        drop constraint idempotency_records_app_id_fkey,
        drop constraint idempotency_records_user_id_fkey;
    `);
  }
}
