/** The crew planner: whether different people can fill every place on a day. */
import { useState } from 'preact/hooks';
import { CrewPlan } from './crew-plan.js';
import { t } from './language.js';
import { Card, Empty, Notice } from './parts.js';
import { go, place } from './place.js';
import type { View } from './view.js';

/** As strings, while they are edited. */
export interface Need {
  readonly qualificationId: string;
  readonly count: string;
}

export interface Qualification {
  readonly id: string;
  readonly name: string;
}

/** The maximum of one plan. */
const most = { needs: 12, people: 100 };

/** Parses `id:count,id:count` of the address. */
const read = (text: string): Need[] =>
  text
    .split(',')
    .filter(Boolean)
    .map((part) => {
      const [qualificationId = '', count] = part.split(':');
      const wanted = Math.trunc(Number(count)) || 1;
      return { qualificationId, count: String(Math.min(most.people, Math.max(1, wanted))) };
    });

const write = (needs: readonly Need[]): string =>
  needs.map(({ qualificationId, count }) => `${qualificationId}:${count}`).join(',');

export function Crew({
  qualifications,
  ...view
}: View & { qualifications: readonly Qualification[] }) {
  const { crew } = place.value;
  const planned = read(crew);
  return (
    <>
      <Card title={t.crew.title}>
        <Form key={crew} planned={planned} qualifications={qualifications} />
      </Card>
      {planned.some((need) => !qualifications.some(({ id }) => id === need.qualificationId)) ? (
        <Notice kind="warning">{t.crew.archived}</Notice>
      ) : planned.length === 0 ? (
        <Empty>{t.crew.empty}</Empty>
      ) : (
        <CrewPlan
          {...view}
          needs={planned.map(({ qualificationId, count }) => ({
            qualificationId,
            count: Number(count),
          }))}
        />
      )}
    </>
  );
}

const Form = ({
  planned,
  qualifications,
}: {
  planned: readonly Need[];
  qualifications: readonly Qualification[];
}) => {
  const unused = (needs: readonly Need[]) =>
    qualifications.find(({ id }) => !needs.some((need) => need.qualificationId === id));
  const withOneMore = (needs: readonly Need[]): readonly Need[] => {
    const next = unused(needs);
    return next ? [...needs, { qualificationId: next.id, count: '1' }] : needs;
  };
  const [needs, setNeeds] = useState(planned.length > 0 ? planned : withOneMore([]));
  if (qualifications.length === 0) return <Empty>{t.crew.none}</Empty>;
  const change = (index: number, part: Partial<Need>) =>
    setNeeds(needs.map((need, at) => (at === index ? { ...need, ...part } : need)));
  return (
    <form
      class="crew"
      onSubmit={(event) => {
        event.preventDefault();
        go({ crew: write(needs) });
      }}
    >
      {needs.map((need, index) => (
        <fieldset key={index}>
          <legend class="unseen">{t.crew.need(index + 1)}</legend>
          <label>
            <span>{t.crew.qualification}</span>
            <select
              value={need.qualificationId}
              onChange={({ currentTarget }) =>
                change(index, { qualificationId: currentTarget.value })
              }
            >
              {qualifications.some(({ id }) => id === need.qualificationId) ? null : (
                <option value={need.qualificationId}>{t.toolbar.archived}</option>
              )}
              {qualifications.map(({ id, name }) => (
                <option
                  key={id}
                  value={id}
                  disabled={
                    id !== need.qualificationId &&
                    needs.some(({ qualificationId }) => qualificationId === id)
                  }
                >
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="people">
            <span>{t.crew.people}</span>
            <input
              type="number"
              min="1"
              max={most.people}
              required
              value={need.count}
              onInput={({ currentTarget }) => change(index, { count: currentTarget.value })}
            />
          </label>
          <button
            type="button"
            class="button quiet"
            disabled={needs.length === 1}
            aria-label={t.crew.removeNeed(index + 1)}
            onClick={() => setNeeds(needs.filter((_, at) => at !== index))}
          >
            {t.remove}
          </button>
        </fieldset>
      ))}
      <div class="actions">
        <button type="submit" class="button primary">
          {t.crew.check}
        </button>
        <button
          type="button"
          class="button plain"
          disabled={needs.length === most.needs || !unused(needs)}
          onClick={() => setNeeds(withOneMore(needs))}
        >
          {t.crew.add}
        </button>
      </div>
    </form>
  );
};
