/**
 * "Try it" in the API reference: a form for each operation, made from the OpenAPI document. It sends
 * requests as the signed-in person, by OAuth as the dashboard does, and never by itself. Tokens are
 * in memory only. public/reference.js loads this module at the first use.
 */
import { effect } from '@preact/signals';
import { render } from 'preact';
import * as session from '../dashboard/session.js';
import { type Person, TryForm } from './try-form.js';
import { type Described, readDescription } from './try-request.js';

interface Settings {
  readonly client_id: string;
  readonly origin: string;
}

const settingsPath = '/docs/try';
let description: Promise<ReadonlyMap<string, Described>> | undefined;
let person: Promise<Person | undefined> | undefined;

async function readSettings(): Promise<Settings | undefined> {
  const response = await fetch(settingsPath, { credentials: 'omit' });
  return response.ok ? ((await response.json()) as Settings) : undefined;
}

/** The primary organization of the person is the default of the forms. */
async function readPerson(): Promise<Person | undefined> {
  const response = await fetch('/v1/me', {
    credentials: 'omit',
    headers: { authorization: `Bearer ${await session.accessToken()}` },
  });
  return response.ok ? ((await response.json()) as { data: Person }).data : undefined;
}

/** Opens or closes the form of a button. Without a sign-in, leads to one first. */
export async function open(button: HTMLElement): Promise<void> {
  const name = button.dataset.try ?? '';
  if (session.session.value.state === 'open') return toggle(button, name);
  const settings = await readSettings();
  if (!settings) return location.assign(settingsPath);
  if (location.origin !== settings.origin)
    return location.replace(`${settings.origin}${location.pathname}#${name}`);
  session.use(settings.client_id);
  history.replaceState(null, '', `${location.pathname}#${name}`);
  await session.authorize();
}

/** Returns from the sign-in: shows the form that it was started from. Sends nothing. */
export async function resume(): Promise<void> {
  const settings = await readSettings();
  if (!settings) return;
  const arrive = (back: string) => history.replaceState(null, '', location.pathname + back);
  const isBack = await session.resume(settings.client_id, arrive).catch((error: unknown) => {
    session.end(error);
    return true;
  });
  if (!isBack) return;
  const name = decodeURIComponent(location.hash.slice(1));
  const button = document.querySelector<HTMLElement>(`[data-try="${CSS.escape(name)}"]`);
  if (!button) return;
  await toggle(button, name);
  button.scrollIntoView({ block: 'center', behavior: 'instant' });
  button.focus();
}

async function toggle(button: HTMLElement, name: string): Promise<void> {
  const place = button.parentElement;
  if (!place) return;
  const shown = place.querySelector('.try-area');
  if (shown) {
    render(null, shown);
    shown.remove();
    button.ariaExpanded = 'false';
    return;
  }
  const area = document.createElement('div');
  area.className = 'try-area';
  place.append(area);
  button.ariaExpanded = 'true';
  description ??= readDescription();
  const described = (await description).get(name);
  if (!described) return;
  if (session.session.value.state === 'open') person ??= readPerson().catch(() => undefined);
  render(<TryForm {...described} person={await person} again={session.authorize} />, area);
}

// A page from the back/forward cache has no tokens any more.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
effect(() => {
  if (session.session.value.state !== 'open') person = undefined;
});
