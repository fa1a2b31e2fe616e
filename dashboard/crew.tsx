/** The crew planner: whether different people can fill every place on a day. */
import { useState } from 'preact/hooks';
import { CrewPlan } from './crew-plan.js';
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
      const [qualificationId = '', count = '1'] = part.split(':');
      return { qualificationId, count };
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
      <Card title="Who is needed?">
        <Form key={crew} planned={planned} qualifications={qualifications} />
      </Card>
      {planned.some((need) => !qualifications.some(({ id }) => id === need.qualificationId)) ? (
        <Notice kind="warning">
          A qualification that this crew needs is archived. Choose another, then check the crew
          again.
        </Notice>
      ) : planned.length === 0 ? (
        <Empty>
          Add the qualifications that you need, then check whether enough people are qualified on
          the day chosen above.
        </Empty>
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
  if (qualifications.length === 0)
    return <Empty>The organization has no qualifications yet.</Empty>;
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
          <legend class="unseen">Need {index + 1}</legend>
          <label>
            <span>Qualification</span>
            <select
              value={need.qualificationId}
              onChange={({ currentTarget }) =>
                change(index, { qualificationId: currentTarget.value })
              }
            >
              {qualifications.some(({ id }) => id === need.qualificationId) ? null : (
                <option value={need.qualificationId}>No longer in use</option>
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
            <span>People</span>
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
            aria-label={`Remove need ${index + 1}`}
            onClick={() => setNeeds(needs.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </fieldset>
      ))}
      <div class="actions">
        <button type="submit" class="button primary">
          Check the crew
        </button>
        <button
          type="button"
          class="button plain"
          disabled={needs.length === most.needs || !unused(needs)}
          onClick={() => setNeeds(withOneMore(needs))}
        >
          Add a qualification
        </button>
      </div>
    </form>
  );
};
