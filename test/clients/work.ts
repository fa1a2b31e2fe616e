/** Others who write, until it is over. */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lanyard } from '../../clients/typescript/src/index.js';
import { recordChanges } from '../../src/database/record-changes.js';
import type { TestApp } from '../support/app.js';
import { newCertification, nobody } from '../support/changes.js';
import { climberEmail, memberId, skylineId, typeId } from '../support/names.js';
import { organization } from './mirrored.js';

const path = { organization_id: skylineId };

export class Work {
  isOver = false;
  /** By clients. */
  created = 0;

  constructor(private readonly app: TestApp) {}

  /** Creates and changes by the client, through the server that is killed. */
  async writeThrough(lanyard: Lanyard, name: string): Promise<string[]> {
    const serials: string[] = [];
    while (!this.isOver) {
      const serial_number = `${name}-${serials.length}`;
      const body = {
        organization_member_id: memberId(climberEmail),
        certification_type_id: typeId('rf-awareness'),
        serial_number,
      };
      const { data } = await lanyard.post(`${organization}/certifications`, {
        params: { path },
        body,
      });
      serials.push(serial_number);
      this.created++;
      await lanyard.patch(`${organization}/certifications/{certification_id}`, {
        params: { path: { ...path, certification_id: data.id } },
        body: { issuer_name: name, expires_on: '2031-01-01' },
      });
      if (serials.length % 5 === 0) {
        await lanyard.post(`${organization}/organization-members`, {
          params: { path },
          body: { email: `${serial_number}@skyline.example` },
        });
      }
    }
    return serials;
  }

  /** Bulks in transactions that stay open for a while, past the server. */
  async writeBeside(): Promise<void> {
    while (!this.isOver) {
      await this.app.db.transaction(async (tx) => {
        await delay(randomInt(50));
        await recordChanges(
          tx,
          nobody,
          Array.from({ length: 1 + randomInt(60) }, () =>
            newCertification(skylineId, memberId(climberEmail)),
          ),
        );
        await delay(randomInt(50));
      });
    }
  }
}
