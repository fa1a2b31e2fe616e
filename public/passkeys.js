/**
 * Forms that a passkey fills in: <div data-passkey="sign-in | add" data-challenge="where to get
 * one" hidden>.
 */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '/assets/simplewebauthn/index.js';

const ask = { 'sign-in': startAuthentication, add: startRegistration };

const sentences = {
  NotAllowedError:
    'The passkey was not used: you cancelled, or it took too long. Try again, or use your password.',
  InvalidStateError: 'This device has a passkey for your account already.',
};

async function answer(form, { passkey, challenge }) {
  const response = await fetch(challenge, {
    method: 'POST',
    body: new URLSearchParams({ csrf: form.elements.csrf.value }),
  });
  if (response.status === 429)
    throw new Error('There were too many attempts: wait a few minutes, then try again.');
  if (!response.ok) throw new Error('This page is out of date: reload it and try again.');
  form.elements.credential.value = JSON.stringify(
    await ask[passkey]({ optionsJSON: await response.json() }),
  );
  form.submit();
}

if (browserSupportsWebAuthn()) {
  for (const part of document.querySelectorAll('[data-passkey]')) {
    part.hidden = false;
    const form = part.querySelector('form');
    const problem = form.querySelector('[role=alert]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      problem.hidden = true;
      try {
        await answer(form, part.dataset);
      } catch (error) {
        problem.textContent = sentences[error.name] ?? error.message;
        problem.hidden = false;
      }
    });
  }
}
