/**
 * The same request with the ids of another tenant and with ids of nothing: the answers must be one,
 * and give nothing away.
 */
import type { Response } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import type { FieldCase, Ids } from '../fields.js';
import { kindsIn, refusalOf, type Verdict } from './oracle.js';
import { apps, foreign, home, missing, people, traceOf, type Who } from './world.js';

export type Ask = (ids: Ids, who: Who, clientId: string) => Promise<Response>;

const everyone = Object.keys(people) as Who[];

/**
 * Which ids are not one's own, and through which apps that is tried: the walls come first, so what
 * is behind them needs only the app that passes.
 */
export function* strangeIds(
  of: Pick<FieldCase, 'args'>,
): Generator<{ kinds: (keyof Ids)[]; clientIds: string[] }> {
  const kinds = kindsIn(of);
  yield { kinds, clientIds: Object.keys(apps) };
  if (kinds.length > 1)
    for (const kind of kinds) yield { kinds: [kind], clientIds: ['demo-dashboard'] };
}

const replaced = (kinds: readonly (keyof Ids)[], by: Ids): Ids => ({
  ...home,
  ...Object.fromEntries(kinds.map((kind) => [kind, by[kind]])),
});

/** What may come out once all walls opened: one's own view, which has no such record. */
const harmless = ['forbidden', 'not_found', 'validation_error', 'approval_required', 'ok'];

/**
 * Asks as everyone, through the apps. @param verdictOf The code of the error, or `ok`. @returns How
 * many pairs were compared.
 */
export async function expectBlind(
  of: FieldCase,
  ask: Ask,
  verdictOf: (response: Response) => Verdict,
): Promise<number> {
  let compared = 0;
  for (const { kinds, clientIds } of strangeIds(of)) {
    const [there, nowhere] = [replaced(kinds, foreign), replaced(kinds, missing)];
    const callers = everyone.flatMap((who) =>
      clientIds.map((clientId) => [who, clientId] as const),
    );
    const check = async ([who, clientId]: readonly [Who, string]) => {
      const what = `${who} through ${clientId}, other ${kinds}`;
      const [exists, doesNot] = await Promise.all([
        ask(there, who, clientId),
        ask(nowhere, who, clientId),
      ]);
      expect([what, traceOf(exists)]).toStrictEqual([what, traceOf(doesNot)]);
      const expected = refusalOf(of, there.organization, who, clientId);
      const verdict = verdictOf(exists);
      if (expected)
        expect([`${what}: ${exists.text}`, verdict]).toStrictEqual([expect.any(String), expected]);
      else ensure(harmless.includes(verdict), `${what}: ${exists.text}`);
      compared++;
    };
    await Promise.all(callers.map(check));
  }
  return compared;
}
