/**
 * A load of reads, creates with and without a key, updates, and clients that follow: what every
 * fault is tried under.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { marker } from '../support/changes.js';
import { fail } from '../support/expect.js';
import { bothEmail, harborId, memberId, skyline, skylineId, typeId } from '../support/names.js';
import { Caller, type CallerOptions } from './caller.js';
import type { Fleet } from './fleet.js';
import { Copy } from './follow.js';
import { History } from './history.js';

const places = [
  [skylineId, memberId(bothEmail)],
  [harborId, memberId(bothEmail, 'harbor-fiber')],
] as const;

const reads = [
  '/v1/me',
  '/v1/organizations',
  `${skyline}/certification-types?limit=20`,
  '/v1/qualifications',
  `${skyline}/certifications?limit=50`,
];

export interface LoadOptions extends CallerOptions {
  /**
   * Milliseconds that each client rests between two requests: faults are to be met, not the limits
   * of the machine.
   */
  readonly rest?: number;
}

export class Load {
  private constructor(
    readonly caller: Caller,
    readonly history: History,
    private readonly rest: number,
  ) {}

  /**
   * Runs the load while a fault happens, and holds what clients were told against what is there.
   * @param fault Told of the load that it happens to.
   */
  static async during<T>(
    fleet: Fleet,
    options: LoadOptions,
    fault: (load: Load) => Promise<T>,
  ): Promise<T> {
    const load = new Load(new Caller(fleet, options), new History(), options.rest ?? 30);
    let isOver = false;
    const [copy, until] = [new Copy(load.caller), () => isOver];
    const clients = [
      load.createWithKey(0, until),
      load.createWithKey(1, until),
      load.createWithKey(0, until),
      load.createOnce(until),
    ];
    const others = [load.update(until), load.update(until), load.read(until), load.read(until)];
    const working = Promise.all([...clients, ...others]);
    const following = copy.follow(until);
    const outcome = await Promise.race([
      fault(load),
      working.then(() => fail('the load ended before the fault')),
    ]).finally(() => {
      isOver = true;
    });
    await Promise.all([working, following]);
    // Once more, now that nothing is written.
    await copy.follow(until);
    await load.verify(fleet, copy);
    const { creates, updates } = load.history.acknowledged;
    const { counts, slowest } = load.caller;
    console.info(
      `${creates} creates and ${updates} updates acknowledged; ${copy.changes.length} changes followed; requests ${JSON.stringify(counts)}, slowest ${slowest.toFixed(0)} ms`,
    );
    return outcome;
  }

  private async verify(fleet: Fleet, copy: Copy): Promise<void> {
    expect([
      fleet.servers.map(({ output }) => output.stdout.slice(-3000)).join('\n'),
      this.caller.broken.slice(0, 5),
    ]).toStrictEqual([expect.any(String), []]);
    const { stored, events } = await this.history.verify(fleet.db);
    const missed = stored.filter(({ id, updatedAt }) => !copy.versions.has(`${id} ${updatedAt}`));
    expect(missed).toEqual([]); // the client that follows the list missed records
    const own = new Set(stored.filter(({ place }) => place === skylineId).map(({ id }) => id));
    const told = events
      .filter(({ id }) => own.has(id))
      .map(({ id, occurredAt }) => `${id} ${occurredAt}`);
    // The client that follows the changes.
    expect(copy.changes.filter((each) => own.has(each.slice(0, 36)))).toStrictEqual(told);
  }

  /** Makes a record with a key, however often it takes. @returns Its id. */
  private async create(place: number): Promise<string | undefined> {
    const tag = randomUUID();
    const acknowledge = this.history.asked(tag);
    const reply = await this.caller.insist('POST', '/v1/certifications', {
      body: bodyOf(tag, place),
      headers: { 'idempotency-key': tag },
    });
    if (reply) acknowledge(reply.body.data.id);
    return reply?.body.data.id;
  }

  private async createWithKey(place: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.create(place);
      await delay(this.rest);
    }
  }

  private async createOnce(isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      const tag = randomUUID();
      const acknowledge = this.history.asked(tag);
      const reply = await this.caller.send('POST', '/v1/certifications', {
        body: bodyOf(tag, turn % 2),
      });
      if (reply?.status === 201) acknowledge(reply.body.data.id);
      await delay(this.rest);
    }
  }

  private async update(isOver: () => boolean): Promise<void> {
    const id = await this.create(0);
    while (id && !isOver()) {
      const value = randomUUID();
      const acknowledge = this.history.updated(id, value);
      const reply = await this.caller.send('PATCH', `${skyline}/certifications/${id}`, {
        body: { issuer_name: value },
      });
      if (reply?.status === 200) acknowledge();
      await delay(this.rest);
    }
  }

  private async read(isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      await this.caller.send('GET', reads[turn % reads.length] ?? '');
      await delay(this.rest);
    }
  }
}

const bodyOf = (tag: string, place: number): object => ({
  organization_member_id: places[place]?.[1],
  certification_type_id: typeId('rf-awareness'),
  external_source: marker,
  serial_number: tag,
});
