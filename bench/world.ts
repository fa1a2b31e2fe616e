/**
 * What requests are made of: records of the seeded database, and tokens of the people who may read
 * them.
 */
import { issueToken } from '../src/auth/tokens.js';
import { type Config, readConfig } from '../src/config.js';
import { connect } from '../src/database/connect.js';
import { Database } from '../src/database/connection.js';
import { entities } from '../src/entities/tables.js';
import { clientId } from './seed/statements.js';

/** A record, with what stands around it. */
export interface Sample {
  readonly organizationId: string;
  /** Whether the organization has an ordinary size: all have but the first. */
  readonly isOrdinary: boolean;
  readonly memberId: string;
  readonly userId: string;
  readonly certificationId: string;
  readonly certificationTypeId: string;
  readonly updatedAt: string;
  readonly holder: string;
  readonly manager: string;
  readonly managerId: string;
  readonly appId: string;
  /** Of the organization's own. */
  readonly qualificationId: string;
  readonly ownTypeIds: readonly string[];
}

const samples = `
  with manager as (
    select distinct on (m.organization_id) m.organization_id, m.email, m.user_id from organization_members m
    where m.role in ('admin', 'manager') and m.is_primary and m.status = 'active' order by m.organization_id, m.id),
  total as (select count(*) as records from certifications)
  select c.organization_id as "organizationId", c.organization_id <> bench.uid('organization', 1) as "isOrdinary", m.id as "memberId", m.user_id as "userId",
    c.id as "certificationId", c.certification_type_id as "certificationTypeId", c.updated_at as "updatedAt", u.email as holder, manager.email as manager,
    manager.user_id as "managerId", bench.uid('app', 1) as "appId",
    (select id from qualifications q where q.organization_id = c.organization_id and q.scope = 'organization' order by id offset s % 10 limit 1) as "qualificationId",
    array(select id from certification_types t where t.organization_id = c.organization_id and t.scope = 'organization' order by id) as "ownTypeIds"
  from total, generate_series(1, $1::int) s
  join certifications c on c.id = bench.uid('certification', (select records from total) * s / ($1 + 2))
  join organization_members m on m.organization_id = c.organization_id and m.id = c.organization_member_id and m.status = 'active'
  join users u on u.id = m.user_id
  join manager on manager.organization_id = c.organization_id
  order by s`;

/** How many records are asked for in turn. */
const sampleCount = 100;
/** Milliseconds after which tokens are made anew, well before they expire. */
const tokensKeep = 240_000;

export class World {
  private tokens = new Map<string, string>();
  private issuedAt = 0;

  private constructor(
    private readonly db: Database,
    private readonly config: Config,
    readonly samples: readonly Sample[],
    /** Ends its connection. */
    readonly close: () => Promise<void>,
  ) {}

  /** @param base The base URL that tokens are for. */
  static async open(url: string, base: string): Promise<World> {
    const orm = await connect(url, { poolSize: 2, entities, timeLimits: false });
    const db = new Database(orm.em);
    return new World(
      db,
      readConfig({ BASE_URL: base }),
      await db.query<Sample>(samples, [sampleCount]),
      () => orm.close(),
    );
  }

  /** To be called before requests are made: all tokens live some minutes from here on. */
  async renewTokens(): Promise<void> {
    if (Date.now() - this.issuedAt < tokensKeep) return;
    const people = new Set(this.samples.flatMap(({ holder, manager }) => [holder, manager]));
    const tokens = new Map<string, string>();
    for (const email of people)
      tokens.set(email, await issueToken(this.db, this.config, email, clientId));
    this.tokens = tokens;
    this.issuedAt = Date.now();
  }

  authorization(email: string): string {
    return `Bearer ${this.tokens.get(email)}`;
  }
}
