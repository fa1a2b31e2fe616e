/**
 * Plays the part of an app: the authorization code flow with PKCE, and a first call. Loaded by
 * /portal/apps/:id/try.
 */
const { base, issuer, clientId, method, redirectUri } = document.getElementById('try').dataset;
const kept = `try ${clientId}`;
const element = (id) => document.getElementById(id);

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

function show(id, value) {
  element(id).textContent = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  element(id).hidden = false;
}

function fail(message) {
  show('trouble', message);
  element('trouble').scrollIntoView({ block: 'center' });
}

async function authorize() {
  const [verifier, state] = [random(), random()];
  sessionStorage.setItem(kept, JSON.stringify({ verifier, state }));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  location.assign(`${issuer}/authorize?${parameters}`);
}

/**
 * The verifier of the sign-in that the browser comes back from, and the code: or nothing, when it
 * must not be trusted.
 */
function comeBack(answer) {
  const { verifier, state } = JSON.parse(sessionStorage.getItem(kept) ?? '{}');
  sessionStorage.removeItem(kept);
  if (answer.get('state') !== state || answer.get('iss') !== issuer)
    return fail('The state or issuer is not the one that was sent: sign in again.');
  if (answer.has('error'))
    return fail(
      `${answer.get('error')}: ${answer.get('error_description') ?? 'sign-in was refused.'}`,
    );
  return { verifier, code: answer.get('code') };
}

async function exchange({ verifier, code }, secret) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const headers = {};
  if (method === 'client_secret_basic')
    headers.Authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`;
  else body.set('client_id', clientId);
  if (method === 'client_secret_post') body.set('client_secret', secret);
  const response = await fetch(`${issuer}/token`, { method: 'POST', headers, body });
  const answer = await response.json();
  show('token-response', answer);
  if (!response.ok) return fail(`${answer.error}: ${answer.error_description}`);
  element('issued').hidden = false;
  element('calls').hidden = false;
  show(
    'claims',
    JSON.parse(
      new TextDecoder().decode(
        Uint8Array.from(atob(payloadOf(answer.access_token)), (c) => c.charCodeAt(0)),
      ),
    ),
  );
  await call(answer.access_token);
}

const payloadOf = (jwt) => jwt.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');

const query =
  '{ me { user { email } apiScopes organizations { name role approvedScopes approvalRequired } } }';

async function call(token) {
  const headers = { Authorization: `Bearer ${token}` };
  show('rest-call', `curl -s ${base}/v1/me \\\n  -H 'Authorization: Bearer ${token}'`);
  show('rest-answer', await (await fetch(`${base}/v1/me`, { headers })).json());
  const body = JSON.stringify({ query });
  show(
    'graphql-call',
    `curl -s ${base}/graphql \\\n  -H 'Authorization: Bearer ${token}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`,
  );
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  show('graphql-answer', await response.json());
}

element('start').addEventListener('click', authorize);
element('start').disabled = false;

const answer = new URLSearchParams(location.search);
if (answer.has('state')) {
  // A code is good for one use: it must not stay in the address bar or the history.
  history.replaceState(null, '', location.pathname);
  const back = comeBack(answer);
  if (back && method === 'none') exchange(back);
  else if (back) {
    element('secret-form').hidden = false;
    element('secret').focus();
    element('secret-form').addEventListener('submit', (event) => {
      event.preventDefault();
      element('secret-form').hidden = true;
      exchange(back, element('secret').value);
    });
  }
}
