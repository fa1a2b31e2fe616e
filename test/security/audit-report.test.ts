/** What `.ci/run` makes of the answers of `npm audit`. */
import { judge } from '../../tools/supply/audit.js';

test('a vulnerability stops the run, and is named with what mends it', () => {
  const vulnerabilities = {
    left: { severity: 'high', range: '<1.2.0', fixAvailable: { name: 'left', version: '1.2.0' } },
    right: { severity: 'low', range: '*', fixAvailable: false },
  };
  const { isBad, text } = judge(JSON.stringify({ auditReportVersion: 2, vulnerabilities }));
  expect(isBad).toBe(true);
  expect(text).toMatch(
    /^ {2}left <1\.2\.0: high; mended by left 1\.2\.0\n {2}right \*: low; there is no mended version yet$/m,
  );
});

test('no vulnerability stops nothing', () => {
  expect(judge('{"auditReportVersion":2,"vulnerabilities":{}}')).toStrictEqual({
    isBad: false,
    text: 'Dependencies: no known vulnerabilities in what production installs.',
  });
});

test('a registry that does not answer stops nothing, and is not taken for a clean report', () => {
  for (const [output, reason] of [
    [
      '{"message":"405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security/advisories/bulk","statusCode":405}',
      '405 Method Not Allowed',
    ],
    ['', 'npm printed no report'],
    ['<html>', 'npm printed no report'],
  ] as const) {
    const { isBad, text } = judge(output);
    expect(isBad).toBe(false);
    expect(text).toMatch(new RegExp(`NOT CHECKED .*${reason}`));
  }
});
