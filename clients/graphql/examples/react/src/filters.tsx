/** The filters of the list. */
import { useEffect, useEffectEvent, useState } from 'react';
import { useQuery } from './lanyard.js';
import { JobRoles } from './operations.js';

export interface Filter {
  readonly period: Period;
  readonly jobRoleId: string;
  readonly q: string;
}

/** Days from today; the last day of `expired` is yesterday. */
const periods = {
  expired: { label: 'Already expired', from: undefined, until: -1 },
  month: { label: 'Within 30 days', from: 0, until: 30 },
  quarter: { label: 'Within 90 days', from: 0, until: 90 },
  year: { label: 'Within a year', from: 0, until: 365 },
} as const;
type Period = keyof typeof periods;

export const initialFilter: Filter = { period: 'year', jobRoleId: '', q: '' };

/** Days of Lanyard begin at midnight UTC. */
const dayAfter = (days: number | undefined): string | null =>
  days === undefined
    ? null
    : new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** The variables of a filter. An empty text is no filter. */
export const variablesOf = ({ period, jobRoleId, q }: Filter) => ({
  from: dayAfter(periods[period].from),
  until: dayAfter(periods[period].until),
  direction: period === 'expired' ? ('DESC' as const) : ('ASC' as const),
  jobRoleId: jobRoleId || null,
  q: q || null,
});

interface Props {
  readonly organizationId: string;
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export function Filters({ organizationId, filter, onChange }: Props) {
  // Without the scope job_roles:read the page works without this filter.
  const roles = useQuery(JobRoles, { organizationId }).result?.data.jobRoles.nodes ?? [];
  const change = (part: Partial<Filter>) => onChange({ ...filter, ...part });
  return (
    <search className="filters">
      <label>
        Expires
        <select
          value={filter.period}
          onChange={({ target }) => change({ period: target.value as Period })}
        >
          {Object.entries(periods).map(([period, { label }]) => (
            <option key={period} value={period}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {roles.length > 0 && (
        <label>
          Job role
          <select
            value={filter.jobRoleId}
            onChange={({ target }) => change({ jobRoleId: target.value })}
          >
            <option value="">All</option>
            {roles.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <SearchField onChange={(q) => q !== filter.q && change({ q })} />
    </search>
  );
}

/** Applies the text after a pause, not at every key. */
function SearchField(props: { readonly onChange: (text: string) => void }) {
  const [text, setText] = useState('');
  const apply = useEffectEvent(props.onChange);
  useEffect(() => {
    const timer = setTimeout(() => apply(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label>
      Search
      <input
        type="search"
        placeholder="Name, issuer or number"
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
