import { expect, it } from 'vitest';
import { mailUser, startMailServer } from '../../../test/support/mail-server.ts';
import { MailFailed } from './mail.ts';
import { type SmtpSettings, smtpMailer } from './smtp.ts';

const mail = {
  to: 'ada@example.org',
  id: '6c1a',
  subject: 'Überblick',
  text: 'Text',
  html: '<p>Text</p>',
};

/** Sends a mail with these settings. */
async function send(
  settings: Partial<SmtpSettings> & Pick<SmtpSettings, 'port'>,
  changes: Partial<typeof mail> = {},
) {
  const mailer = smtpMailer({
    host: '127.0.0.1',
    tls: 'none',
    from: 'Parapet <parapet@example.com>',
    ...settings,
  });
  try {
    await mailer.send({ ...mail, ...changes });
  } finally {
    mailer.close();
  }
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    error => [error instanceof MailFailed, error.code, error.isFinal],
  );

it('signs in with the user and password of the operator', async () => {
  await using server = await startMailServer({ asksForUser: true });
  await send({ port: server.port, ...mailUser });
  expect(server.received[0]).toMatchObject({
    to: 'ada@example.org',
    from: '"Parapet" <parapet@example.com>',
    subject: 'Überblick',
    messageId: '<6c1a@example.com>',
  });
  expect(server.received[0]!.header('Auto-Submitted')).toBe('auto-generated');
  expect(await failure(send({ port: server.port, ...mailUser, password: 'wrong' }))).toEqual([
    true,
    'EAUTH 535',
    false,
  ]);
});

it('sends nothing without TLS if it is required, or to a server that nobody vouches for', async () => {
  await using plain = await startMailServer();
  await using offers = await startMailServer({ startTls: true });
  expect(await failure(send({ port: plain.port, tls: 'required' }))).toMatchObject([
    true,
    expect.stringMatching(/^ETLS/),
    false,
  ]);
  expect(await failure(send({ port: offers.port, tls: 'required' }))).toMatchObject([
    true,
    expect.stringMatching(/^E(?:SOCKET|TLS)/),
    false,
  ]);
  expect([plain.received, offers.received]).toEqual([[], []]);
});

it('sends to one recipient only, whatever the address is', async () => {
  await using server = await startMailServer();
  await failure(send({ port: server.port }, { to: 'ada@example.org, eve@example.org' }));
  await failure(send({ port: server.port }, { to: 'ada@example.org>\r\nRCPT TO:<eve@example.org' }));
  expect(server.received.map(({ to }) => to).filter(to => /(?:^|,)eve@example\.org/.test(to))).toEqual([]);
});

it('reports a server that does not answer, without waiting for long', async () => {
  expect(await failure(send({ port: 1 }))).toEqual([true, 'ESOCKET', false]);
});
