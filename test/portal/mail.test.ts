import { Browser } from '../auth/oauth/browser.js';
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { freePort } from '../support/server.js';
import { startSmtp } from '../support/smtp.js';

const mailbox = await startSmtp();
const { messages } = mailbox;
const port = await freePort();
const app = await startApp({
  PORT: String(port),
  BASE_URL: `http://127.0.0.1:${port}`,
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'Lanyard <safety@skyline.example>',
});

const ask = async (email: string) => {
  const browser = new Browser(app.base);
  return browser.submit(await browser.get('/portal/forgotten-password'), '/forgotten-password', {
    email,
  });
};

it('sends a link to whoever forgot the password, and tells nobody whether there is such a person', async () => {
  const [known, unknown] = [
    await ask('Climber@skyline.example'),
    await ask('nobody@skyline.example'),
  ];
  expect(known.html.replace('Climber@', 'nobody@')).toBe(unknown.html);
  const url = await mailbox.nextLink();
  expect(messages).toHaveLength(1);
  const [message = ''] = messages;
  expect(message).toMatch(/^From: Lanyard <safety@skyline\.example>$/m);
  expect(message).toMatch(/^To: climber@skyline\.example$/m);
  ensure(url.startsWith(`${app.base}/portal/links/`), url);
  const browser = new Browser(app.base);
  const password = 'seven steel bolts 42';
  const home = await browser.submit(await browser.get(url), new URL(url).pathname, {
    password,
    repeated: password,
  });
  expect(home.url.pathname).toBe('/portal');
});

it('sends no more than ten in a quarter of an hour', async () => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt++)
    statuses.push((await ask('manager@skyline.example')).status);
  expect(statuses).toStrictEqual([...Array(10).fill(200), 429]);
  await mailbox.nextLink();
});

it('sends one link in half an hour, so that nobody ends the link that a person is about to open', async () => {
  const before = messages.length;
  await ask('luca.ferrante@skyline.example');
  const url = await mailbox.nextLink();
  await ask('luca.ferrante@skyline.example');
  await ask('hassan.qureshi@skyline.example');
  await mailbox.nextLink();
  expect(messages).toHaveLength(before + 2);
  expect((await new Browser(app.base).get(url)).status).toBe(200);
  await app.db.query(`update one_time_links set created_at = created_at - interval '31 minutes'`);
  await ask('luca.ferrante@skyline.example');
  expect(await mailbox.nextLink()).not.toBe(url);
});
