/** The common filters of all views: organization, job role, and day. */
import { isDay, today } from '../src/scalars/day.js';
import { ask } from './api.js';
import { Combobox } from './combobox.js';
import { Fresh } from './fresh.js';
import { t } from './language.js';
import { FindPeople } from './operations.js';
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
  const { role, tab, person } = place.value;
  const leave = { member: '', qualification: '' };
  return (
    <form class="toolbar" aria-label={t.toolbar.label} onSubmit={(event) => event.preventDefault()}>
      {organizations.length > 1 && (
        <Choice
          label={t.organization.label}
          value={organizationId}
          options={organizations}
          onChoose={(org) =>
            go({ ...leave, org, role: '', person: '', week: '', crew: '', sort: '' })
          }
        />
      )}
      {isManager && tab !== 'crew' && !person && (
        <Choice
          label={t.toolbar.jobRole}
          value={role}
          options={[{ id: '', name: t.toolbar.allJobRoles }, ...jobRoles]}
          onChoose={(chosen) => go({ ...leave, role: chosen, sort: '' })}
        />
      )}
      <label>
        <span>{t.toolbar.asOf}</span>
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
          {t.toolbar.today}
        </button>
      )}
      {isManager && (
        <Combobox
          key={organizationId}
          label={t.finder.label}
          placeholder={t.finder.placeholder}
          search={async (q, signal) => {
            const { organizationMembers } = await ask(FindPeople, { organizationId, q }, signal);
            return organizationMembers.nodes.map(({ id, displayName, externalId, email }) => ({
              id,
              name: displayName,
              detail: externalId || email,
            }));
          }}
          onChoose={(id) => go({ ...leave, person: id })}
        />
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
        <option value={value}>{t.toolbar.archived}</option>
      )}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
);
