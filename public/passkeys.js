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

async function answer(form, { passkey, challenge }, texts) {
  const response = await fetch(challenge, {
    method: 'POST',
    body: new URLSearchParams({ csrf: form.elements.csrf.value }),
  });
  if (response.status === 429) throw new Error(texts.tooMany);
  if (!response.ok) throw new Error(texts.outdated);
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
    // In the language of the page, by the name of the error.
    const texts = JSON.parse(part.dataset.texts);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      problem.hidden = true;
      try {
        await answer(form, part.dataset, texts);
      } catch (error) {
        problem.textContent = texts[error.name] ?? error.message;
        problem.hidden = false;
      }
    });
  }
}
