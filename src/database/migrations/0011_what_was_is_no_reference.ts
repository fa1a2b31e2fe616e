import { Migration } from '@mikro-orm/migrations';

/**
 * Who wrote what, and what a record was, are facts that were checked as they were written: from then on they point at nothing that must stay. As foreign
 * keys they were checked at each write a second time, locked rows that all writers share (an app, a person, a type), and had the deletion of an app read
 * and change the whole history.
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
