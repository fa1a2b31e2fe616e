import DefaultSequencer from '@jest/test-sequencer';

/**
 * The files that take longest, longest first. Jest orders by the times of the run before, or, on a
 * fresh machine, by the size of the files; one of these that starts last would run alone for
 * minutes.
 */
export const longest = [
  'security/generated/generated',
  'start',
  'guides/add-a-resource',
  'security/tenancy/deep',
  'docs/walkthroughs',
  'clients/python',
  'faults/fairness',
  'dashboard/look.browser',
  'sync/one-organization',
  'sync/several-organizations',
  'rest/limits',
  'cli/commands',
];

const rankOf = ({ path }) => {
  const rank = longest.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return rank < 0 ? longest.length : rank;
};

export default class LongestFirst extends DefaultSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one) - rankOf(other));
  }
}
