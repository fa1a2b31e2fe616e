/**
 * A field that searches on the server and offers what it finds. The behavior (keyboard, focus,
 * screen readers, position) is that of Zag.
 */
import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentProps } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { t } from './language.js';

export interface Choice {
  readonly id: string;
  readonly name: string;
  /** Distinguishes choices with the same name. */
  readonly detail?: string | undefined;
}

/** Zag's type allows every role of every element. */
type InputProps = ComponentProps<'input'>;

interface ComboboxProps {
  readonly label: string;
  readonly placeholder: string;
  /** Called with the text, of at least one character, after the last letter. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  readonly onChoose: (id: string) => void;
}

/** Milliseconds after the last letter before the search is sent. */
const searchDelay = 200;

type State = 'idle' | 'loading' | 'done' | 'failed';

export function Combobox({ label, placeholder, search, onChoose }: ComboboxProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Choice[]>([]);
  const [state, setState] = useState<State>('idle');
  const wanted = text.trim();

  useEffect(() => {
    if (!wanted) {
      setFound([]);
      setState('idle');
      return;
    }
    const stop = new AbortController();
    setState('loading');
    const timer = setTimeout(() => {
      search(wanted, stop.signal).then(
        (choices) => {
          setFound(choices);
          setState('done');
        },
        () => stop.signal.aborted || setState('failed'),
      );
    }, searchDelay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted]);

  const collection = combobox.collection({
    items: [...found],
    itemToValue: ({ id }) => id,
    itemToString: ({ name }) => name,
  });
  const service = useMachine(combobox.machine as combobox.Machine<Choice>, {
    id: useId(),
    collection,
    inputValue: text,
    placeholder,
    value: [],
    openOnChange: true,
    selectionBehavior: 'clear',
    // The page that the choice leads to shows it.
    onInputValueChange: ({ inputValue }) => setText(inputValue),
    onValueChange: ({ value: [id] }) => {
      if (!id) return;
      setText('');
      onChoose(id);
    },
    translations: { triggerLabel: label, clearTriggerLabel: t.remove },
  });
  const api = combobox.connect(service, normalizeProps);
  const note =
    state === 'loading'
      ? t.loading
      : state === 'failed'
        ? t.errors.unreachable
        : state === 'done' && found.length === 0
          ? t.finder.none
          : undefined;
  return (
    <div {...api.getRootProps()} class="combobox">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: getLabelProps refers to the input */}
      <label {...api.getLabelProps()}>
        <span>{label}</span>
      </label>
      <div {...api.getControlProps()}>
        <input {...(api.getInputProps() as InputProps)} maxLength={100} />
      </div>
      <div {...api.getPositionerProps()}>
        {api.open && wanted && (
          <ul {...api.getContentProps()} class="choices">
            {found.map((choice) => (
              <li key={choice.id} {...api.getItemProps({ item: choice })}>
                <bdi>{choice.name}</bdi>
                {choice.detail && <span class="muted small">{choice.detail}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p class={note ? 'note muted small' : 'unseen'} role="status">
        {note ?? (state === 'done' ? t.finder.found(found.length) : '')}
      </p>
    </div>
  );
}
