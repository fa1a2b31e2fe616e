/** The common filters of all views: organization, job role, and day. */
import { isDay, today } from '../src/scalars/day.js';
import { Fresh } from './fresh.js';
import { go, place } from './place.js';
import type { View } from './view.js';

interface Option {
  readonly id: string;
  readonly name: string;
}

interface ToolbarProps {
  readonly view: View;
  readonly organizations: readonly Option[];
  readonly jobRoles: readonly Option[];
}

export function Toolbar({
  view: { organizationId, isManager, day },
  organizations,
  jobRoles,
}: ToolbarProps) {
  const { role, tab } = place.value;
  const leave = { member: '', qualification: '' };
  return (
    <form class="toolbar" aria-label="What to show" onSubmit={(event) => event.preventDefault()}>
      {organizations.length > 1 && (
        <Choice
          label="Organization"
          value={organizationId}
          options={organizations}
          onChoose={(org) => go({ ...leave, org, role: '', week: '', crew: '' })}
        />
      )}
      {isManager && tab !== 'crew' && (
        <Choice
          label="Job role"
          value={role}
          options={[{ id: '', name: 'All job roles' }, ...jobRoles]}
          onChoose={(chosen) => go({ ...leave, role: chosen })}
        />
      )}
      <label>
        <span>As of</span>
        <input
          type="date"
          value={day}
          required
          onChange={({ currentTarget: { value } }) =>
            isDay(value) && go({ ...leave, week: '', day: value === today() ? '' : value })
          }
        />
      </label>
      {day !== today() && (
        <button
          type="button"
          class="button plain"
          onClick={() => go({ ...leave, week: '', day: '' })}
        >
          Today
        </button>
      )}
      <Fresh />
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChoose: (id: string) => void;
}

const Choice = ({ label, value, options, onChoose }: ChoiceProps) => (
  <label>
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.some(({ id }) => id === value) ? null : (
        <option value={value}>No longer in use</option>
      )}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
);
