/** Log lines, for programs and for people. */
import { createLogger, readableLine } from '../../src/http/log.js';

const lines: string[] = [];
const log = createLogger('info', { write: (line: string) => void lines.push(line) });
const lastLine = (): string => lines.at(-1) ?? '';

test('a line is JSON with an ISO time, the name of the level, the service and its version', () => {
  log.warn({ people: 3 }, 'the database has demo people');
  expect(JSON.parse(lastLine())).toStrictEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    service: 'lanyard',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    pid: process.pid,
    people: 3,
    msg: 'the database has demo people',
  });
});

test('a request on a terminal is one short line', () => {
  const request = { requestId: 'r-1', method: 'POST', path: '/graphql', operation: 'Why' };
  log.info({ ...request, status: 200, milliseconds: 3.2, statements: 4 }, 'request');
  expect(readableLine(lastLine())).toMatch(/^\d\d:\d\d:\d\d POST \/graphql Why 200 3\.2 ms$/);
  log.info({ ...request, status: 503, milliseconds: 3.2 }, 'request');
  expect(readableLine(lastLine())).toMatch(/ 503 3\.2 ms r-1$/);
  log.info({ ...request, aborted: true, milliseconds: 3.2 }, 'request');
  expect(readableLine(lastLine())).toMatch(/ aborted 3\.2 ms$/);
});

test('anything else on a terminal has its level, its values and the stack of its error', () => {
  log.error({ err: new Error('lost'), requestId: 'r-2' }, 'request failed');
  const [first, second = ''] = readableLine(lastLine()).split('\n');
  expect(first).toMatch(/^\d\d:\d\d:\d\d ERROR request failed \{"requestId":"r-2"\}$/);
  expect(second).toBe('Error: lost');
});
