/** The list of an organization: filters, a page of records, and its live updates. */
import { useState } from 'react';
import { Filters, initialFilter, variablesOf } from './filters.js';
import { type Live, useChanges, useQuery } from './lanyard.js';
import { Expiring, pageSize } from './operations.js';
import { explain, Problem } from './problem.js';
import { SignedOut } from './session.js';
import { CertificationTable } from './table.js';

export function Certifications({ organizationId }: { readonly organizationId: string }) {
  const [filter, setFilter] = useState(initialFilter);
  /** The cursors of the pages before and of this one; none on the first page. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const { result, error, isLoading, isStale, reload } = useQuery(Expiring, {
    organizationId,
    ...variablesOf(filter),
    after: cursors.at(-1) ?? null,
  });
  const { live, reconnect } = useChanges(organizationId, (ids) => {
    setChanged(new Set(ids));
    reload();
  });
  const hasEnded = live.state === 'off' && live.reason instanceof SignedOut;
  const problem = hasEnded ? live.reason : error;
  const { nodes = [], totalCount = 0, pageInfo } = result?.data.certifications ?? {};
  const next = pageInfo?.nextCursor;
  const pending = isLoading ? 'Loading…' : result && 'Earlier records';
  return (
    <>
      <Filters
        organizationId={organizationId}
        filter={filter}
        onChange={(value) => {
          setCursors([]);
          setFilter(value);
        }}
      />
      {problem !== undefined && (
        <Problem
          error={problem}
          onRetry={() => {
            reload();
            reconnect();
          }}
        />
      )}
      <div className="bar">
        <p role="status">{isStale ? pending : rangeOf(cursors.length, nodes.length, totalCount)}</p>
        <LiveState live={live} />
      </div>
      {nodes.length > 0 && (
        <CertificationTable records={nodes} changed={changed} isLoading={isLoading} />
      )}
      <div className="bar">
        <nav aria-label="Pages">
          <PageButton
            label="Previous"
            isEnabled={cursors.length > 0}
            onPress={() => setCursors(cursors.slice(0, -1))}
          />
          <PageButton
            label="Next"
            isEnabled={Boolean(next) && !isStale}
            onPress={() => next && setCursors([...cursors, next])}
          />
        </nav>
        {result?.cost && (
          <p className="cost">
            Cost {result.cost.requested} of {result.cost.limit.toLocaleString('en')}
          </p>
        )}
      </div>
    </>
  );
}

/** Which of all records a page has. @param page 0 for the first. */
function rangeOf(page: number, length: number, total: number): string {
  const start = page * pageSize;
  return total === 0 ? 'No certifications' : `${start + 1} to ${start + length} of ${total}`;
}

/** A button that is `disabled` would lose the focus on the last page. */
function PageButton(props: {
  readonly label: string;
  readonly isEnabled: boolean;
  readonly onPress: () => void;
}) {
  return (
    <button
      type="button"
      aria-disabled={!props.isEnabled}
      onClick={() => props.isEnabled && props.onPress()}
    >
      {props.label}
    </button>
  );
}

function LiveState({ live }: { readonly live: Live }) {
  const text = {
    connecting: 'Connecting…',
    live: 'Live',
    interrupted: 'Reconnecting…',
    off: `Live updates are off. ${live.state === 'off' ? explain(live.reason).title : ''}`,
  }[live.state];
  return <p className={`live is-${live.state}`}>{text}</p>;
}
