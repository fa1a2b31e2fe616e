/**
 * GraphiQL in the frame that the portal serves (src/portal/explorer), signed in by OAuth as the
 * dashboard is.
 */
import { effect } from '@preact/signals';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './graphiql.css';
import { post } from '../dashboard/api.js';
import { authorize, end, open, session } from '../dashboard/session.js';

const [area, ended, why] = ['graphiql', 'ended', 'why'].map((id) => document.getElementById(id));

/**
 * What runs is sent with the token of the session, whatever is among the headers that the person
 * typed.
 */
const fetcher = async (
  request: object,
  { headers }: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<object> =>
  (await post(JSON.stringify(request), undefined, headers)).json() as Promise<object>;

const welcome = `# Press Ctrl+Enter to run this, Ctrl+Space for suggestions.
query Me {
  me {
    user { displayName email }
    organizations { name role }
  }
}
`;

/** Makes the tabs of the explorers carry over what stands in the editors. */
function carry(part: 'document' | 'variables', text: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.explorers a')) {
    const query = new URLSearchParams(link.search);
    query.set(part, text);
    link.search = query.toString();
  }
}

function show(element: HTMLElement): void {
  const asked = new URLSearchParams(location.search);
  const [query, variables] = [asked.get('document'), asked.get('variables')];
  if (query) carry('document', query);
  if (variables) carry('variables', variables);
  for (const id of ['usual', 'unreachable']) {
    const text = document.getElementById(id);
    if (text) text.hidden = (id === 'unreachable') !== (asked.get('unreachable') === 'sandbox');
  }
  createRoot(element).render(
    createElement(GraphiQL, {
      fetcher,
      // History and tabs last as long as the tab of the browser: the next person at this machine
      // finds none of it.
      storage: sessionStorage,
      defaultQuery: welcome,
      ...(query && { query, variables: pretty(variables ?? '{}') }),
      onEditQuery: (text: string) => carry('document', text),
      onEditVariables: (text: string) => carry('variables', text),
      shouldPersistHeaders: false,
      defaultEditorToolsVisibility: 'variables',
      className: 'within',
    }),
  );
}

/**
 * Variables of a link as people read them; what is no JSON stays as it is, and GraphiQL says what
 * is wrong with it.
 */
function pretty(variables: string): string {
  try {
    return JSON.stringify(JSON.parse(variables), null, 2);
  } catch {
    return variables;
  }
}

if (area && ended && why) {
  // What makes style elements finds the page's nonce under this name (get-nonce).
  Object.assign(globalThis, { __webpack_nonce__: area.dataset.nonce });
  let isShown = false;
  effect(() => {
    const now = session.value;
    ended.hidden = now.state !== 'ended';
    if (now.state === 'ended') why.textContent = now.why;
    if (now.state !== 'open' || isShown) return;
    isShown = true;
    area.replaceChildren();
    show(area);
  });
  document.getElementById('again')?.addEventListener('click', () => void authorize());
  await open(area.dataset.clientId ?? '', area.dataset.origin ?? '', (back) =>
    history.replaceState(null, '', location.pathname + back),
  ).catch(end);
}
