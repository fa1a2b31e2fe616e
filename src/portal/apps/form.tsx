/** The form with the settings of an app. */
import type { AppInput, AuthMethod } from '../../auth/apps/rules.js';
import { apiScopes, scopes } from '../../auth/scopes.js';
import type { Problems } from '../../errors.js';
import { field } from '../../pages/context.js';
import { Field } from '../../pages/forms.js';
import type { PortalContext } from '../route.js';

/** The form's input: one redirect URI per line. */
export const readAppForm = (ctx: PortalContext): AppInput => ({
  name: field(ctx, 'name'),
  tokenEndpointAuthMethod: field(ctx, 'method'),
  redirectUris: field(ctx, 'redirectUris')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
  apiScopes: ctx.state.form.getAll('scope'),
});

const methods: Readonly<Record<AuthMethod, readonly [title: string, hint: string]>> = {
  none: [
    'Public',
    'Runs in a browser or on a phone, where no secret is safe. Signs people in with PKCE and no secret.',
  ],
  client_secret_basic: [
    'Confidential, HTTP Basic',
    'Runs on your server, and sends its secret in the Authorization header. Choose this when unsure.',
  ],
  client_secret_post: [
    'Confidential, in the body',
    'The same, with client_id and client_secret in the form body of the token request.',
  ],
};

/** Assigns the problems of single lines to their text area. */
function byField(problems: Problems | undefined): Problems {
  const merged: Problems = {};
  for (const [path, sentences] of Object.entries(problems ?? {})) {
    const [name = '', line] = path.split('.');
    const told =
      line && name === 'redirectUris'
        ? sentences.map((sentence) => `Line ${Number(line) + 1}: ${sentence}`)
        : sentences;
    merged[name] = [...(merged[name] ?? []), ...told];
  }
  return merged;
}

export const AppFields = ({
  app,
  problems,
}: {
  app: AppInput;
  problems?: Problems | undefined;
}) => {
  const told = byField(problems);
  return (
    <>
      <Field
        name="name"
        label="Name"
        value={app.name}
        hint="People see it when they sign in, and admins when they approve."
        maxLength={100}
        problems={told}
      />
      <Methods chosen={app.tokenEndpointAuthMethod} />
      <Field
        name="redirectUris"
        label="Redirect URIs"
        rows={4}
        value={app.redirectUris.join('\n')}
        hint="Allowed targets after sign-in, one per line, compared character by character. https, or http on 127.0.0.1, [::1] or localhost."
        problems={told}
      />
      <Scopes chosen={app.apiScopes} />
    </>
  );
};

const Methods = ({ chosen }: { chosen: string }) => (
  <fieldset>
    <legend>Type</legend>
    {Object.entries(methods).map(([method, [title, hint]]) => (
      <label class="choice">
        <input type="radio" name="method" value={method} checked={method === chosen} required />
        <span>
          {title}
          <span class="hint">{hint}</span>
        </span>
      </label>
    ))}
  </fieldset>
);

const Scopes = ({ chosen }: { chosen: readonly string[] }) => (
  <fieldset>
    <legend>API scopes</legend>
    <p class="hint">
      What the app may do where an admin approves it, and never more than the person who signed in.
      Choose none if the app only signs people in.
    </p>
    <div class="choices">
      {apiScopes.map((scope) => (
        <label class="choice">
          <input type="checkbox" name="scope" value={scope} checked={chosen.includes(scope)} />
          <span>
            <code>{scope}</code>
            <span class="hint">{scopes[scope]}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);
