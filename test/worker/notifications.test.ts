import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChannelFormat, SaveNotificationSettings } from '../../src/contract/dashboard/notifications.ts';
import type { Severity } from '../../src/contract/severity.ts';
import type { ObservedFlaw } from '../../src/domain/finding-changes.ts';
import { smtpMailer } from '../../src/messages/mail/smtp.ts';
import { commentOnFindings } from '../../src/resources/findings/comments.ts';
import { createFindingView } from '../../src/resources/findings/finding-views.ts';
import { assignFindings } from '../../src/resources/findings/finding-work.ts';
import { saveConclusions } from '../../src/resources/findings/scan-results.ts';
import { decide } from '../../src/resources/findings/triage.ts';
import { createChannel } from '../../src/resources/notifications/channels.ts';
import { recordNotice } from '../../src/resources/notifications/record-notice.ts';
import { saveNotificationSettings } from '../../src/resources/notifications/settings.ts';
import { foresee, prepareMessages } from '../../src/worker/tasks/prepare-messages.ts';
import { sendMessages } from '../../src/worker/tasks/send-messages.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { loopbackSandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { httpServer, type TestServer } from '../support/website.ts';

const dashboard = 'https://parapet.example/dashboard';

let service: TestService;
let mails: MailServer;
let sandbox: ReturnType<typeof loopbackSandbox>;
let services: Parameters<typeof sendMessages>[0];
let logged: { event: string; fields: object }[];
beforeAll(async () => {
  service = await startService();
  mails = await startMailServer();
  sandbox = loopbackSandbox();
  const mailer = smtpMailer({
    host: '127.0.0.1',
    port: mails.port,
    tls: 'none',
    from: 'Parapet <parapet@example.com>',
  });
  services = {
    storage: service.storage,
    sandbox,
    messages: { mailer, webhookAllowlist: ['127.0.0.0/8'], dashboard },
    log: (event, fields) => void logged.push({ event, fields }),
  };
});
afterAll(async () => {
  services?.messages.mailer?.close();
  await sandbox?.close();
  await mails?.[Symbol.asyncDispose]();
  await service?.close();
});
beforeEach(async () => {
  logged = [];
  mails.refusal = undefined;
  mails.received.length = 0;
  await sql('delete from outbox');
  await sql('delete from notices');
  await sql('delete from notification_settings');
  await sql('delete from notification_channels');
});

const sql = async (text: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(text, values))).rows;

/** A turn of a worker some time later: whatever waits for its moment is due. */
async function turn(): Promise<void> {
  await prepareMessages(services);
  await sql(`update outbox set ready_at = now() - interval '1 second' where state in ('waiting', 'sending')`);
  await sendAll();
}

const sendAll = () => Promise.all([sendMessages(services, 'mail'), sendMessages(services, 'chat')]);

/** Subjects of the mail that the turn sent, by address. */
async function sentBy(work: () => Promise<void> = turn): Promise<[to: string, subject: string][]> {
  const before = mails.received.length;
  await work();
  return mails.received.slice(before).map(({ to, subject }) => [to, subject]);
}

const chosen = (changes: Partial<SaveNotificationSettings> = {}): SaveNotificationSettings => ({
  kinds: [
    'new_findings',
    'scan_failed',
    'source_failing',
    'agent_silent',
    'key_expiring',
    'attestation_ending',
    'backup_old',
  ],
  severity: 'high',
  digest: 'none',
  view_ids: [],
  ...changes,
});

/** A member with a confirmed address and these settings. */
async function subscriber(
  source: AuthorizedSource,
  settings: Partial<SaveNotificationSettings> = {},
  role: 'member' | 'admin' | 'owner' = 'member',
): Promise<TestPerson> {
  const person = await addPerson(service, source.organizationId, role);
  await sql(
    `insert into person_preferences (person_id, confirmed_email) select id, email from people where id = $1`,
    [person.id],
  );
  await source.store.transaction(transaction =>
    saveNotificationSettings(transaction, person.id, chosen(settings)),
  );
  return person;
}

const flaw = (severity: Severity, changes: Partial<ObservedFlaw> = {}): ObservedFlaw => ({
  fingerprint: randomUUID(),
  formerFingerprints: [],
  category: 'exposure.env_file',
  locator: 'https://shop.example/.env',
  subject: null,
  severity,
  title: `A ${severity} problem`,
  remediation: 'Fix it.',
  seen: 'It was seen.',
  hipaa: false,
  ...changes,
});

/** Saves the result of a scan in which these opened. Returns their ids. */
async function scanFinds(source: AuthorizedSource, opened: readonly ObservedFlaw[]): Promise<string[]> {
  const scanId = randomUUID();
  await source.store.transaction(async transaction => {
    await transaction.query({
      text: 'select from sources where id = $1 for update',
      values: [source.sourceId],
    });
    const changes = {
      ...{ opened, reopened: [], updated: [], resolved: [] },
    };
    const scanned = {
      source: { id: source.sourceId, system_id: source.systemId },
      scanId,
      lookedAt: new Date().toISOString(),
    };
    await saveConclusions(transaction, scanned, { changes, outcomes: [] });
  });
  const rows = await sql(
    'select finding_id from finding_episodes where opened_by_scan = $1 order by finding_id',
    [scanId],
  );
  return rows.map(row => row.finding_id);
}

it('sends one mail for all new findings of a scan that are severe enough', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  const [id] = await scanFinds(source, [flaw('critical')]);
  await scanFinds(source, [flaw('high'), flaw('medium'), flaw('info')]);
  expect(await sentBy()).toEqual([[person.email, '2 new findings on W: 1 critical and 1 high']]);
  const [mail] = mails.received;
  expect(mail!.text).toContain('CRITICAL: A critical problem');
  expect(mail!.text).toContain(`${dashboard}/findings/${id}`);
  expect(mail!.html).toContain(`href="${dashboard}/findings/${id}"`);
  expect(mail!.text).not.toContain('medium');
  expect(await sentBy()).toEqual([]);
});

it('sends nothing of what is no longer open when the mail is due', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  const [accepted, fixed, left] = await scanFinds(source, [flaw('high'), flaw('high'), flaw('high')]);
  const triage = (ids: string[]) =>
    source.person.transaction(transaction =>
      decide(transaction, ids, { decision: 'false_positive', reason: 'r' }),
    );
  await triage([accepted!]);
  await sql('update findings set observed = false where id = $1', [fixed]);
  expect(await sentBy()).toEqual([[person.email, 'New high finding on W']]);
  expect(mails.received[0]!.text).toContain(left);
  const [again] = await scanFinds(source, [flaw('critical')]);
  await triage([again!]);
  await sql(`update outbox set sent_at = sent_at - interval '1 hour'`);
  expect(await sentBy()).toEqual([]);
  expect(await sql('select state from outbox order by created_at')).toEqual([
    { state: 'sent' },
    { state: 'empty' },
  ]);
});

it('sends at most one alert every five minutes, with all that happened meanwhile', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  await scanFinds(source, [flaw('high')]);
  await turn();
  await scanFinds(source, [flaw('high')]);
  expect(await sentBy()).toEqual([]);
  const [{ seconds }] = await sql(
    `select extract(epoch from ready_at - now())::int as seconds from outbox where state = 'waiting'`,
  );
  expect(seconds).toBeGreaterThan(240);
  expect(seconds).toBeLessThanOrEqual(300);
  await scanFinds(source, [flaw('critical')]);
  await sql(`update outbox set sent_at = sent_at - interval '5 minutes' where state = 'sent'`);
  expect(await sentBy()).toEqual([[person.email, '2 new findings on W: 1 critical and 1 high']]);
});

it('waits until quiet hours end, except for critical findings if the person wants those', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  const minute = (hours: number) => ((new Date().getUTCHours() + hours + 24) % 24) * 60;
  const quiet = (critical: boolean) =>
    sql(
      `update person_preferences set quiet_from = $2, quiet_until = $3, quiet_except_critical = $4 where person_id = $1`,
      [person.id, minute(-1), minute(3), critical],
    );
  await quiet(false);
  await scanFinds(source, [flaw('critical')]);
  expect(await sentBy()).toEqual([]);
  const [{ minutes }] = await sql(
    `select extract(epoch from ready_at - now()) / 60 as minutes from outbox where state = 'waiting'`,
  );
  expect(Number(minutes), 'asked again, since the person may change the hours').toBeGreaterThan(9);
  expect(Number(minutes)).toBeLessThanOrEqual(10);
  await quiet(true);
  expect(await sentBy()).toEqual([[person.email, 'New critical finding on W']]);
});

it('sends a critical finding at once that joins what waits for the end of quiet hours', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  const hour = new Date().getUTCHours() * 60;
  await sql(
    `update person_preferences set quiet_from = $2, quiet_until = $3, quiet_except_critical = true where person_id = $1`,
    [person.id, (hour + 1380) % 1440, (hour + 180) % 1440],
  );
  await scanFinds(source, [flaw('high')]);
  expect(await sentBy()).toEqual([]);
  await scanFinds(source, [flaw('critical')]);
  await prepareMessages(services);
  const [{ seconds }] = await sql(
    `select extract(epoch from ready_at - now())::int as seconds from outbox where state = 'waiting'`,
  );
  expect(seconds).toBeLessThanOrEqual(10);
  expect(await sentBy()).toEqual([[person.email, '2 new findings on W: 1 critical and 1 high']]);
});

it('hides no critical finding behind many mentions, also of deleted comments', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source, { kinds: ['new_findings', 'mentioned'] });
  await sql(
    `insert into notices (organization_id, kind, person_id, object_id)
      select $1, 'mentioned', $2, gen_random_uuid() from generate_series(1, 1200)`,
    [source.organizationId, person.id],
  );
  await scanFinds(source, [flaw('critical')]);
  for (let turns = 0; turns < 3; turns++) await prepareMessages(services);
  expect(await sentBy()).toEqual([[person.email, 'New critical finding on W']]);
});

it('sends nothing after someone has unsubscribed, turned a kind off or lost a role', async () => {
  const source = await authorizedSource(service);
  const [off, without, demoted] = [
    await subscriber(source, { digest: 'daily' }),
    await subscriber(source),
    await subscriber(source, {}, 'admin'),
  ];
  await service.mint(source.organizationId, { expiresAt: new Date(Date.now() + 86_400_000) });
  await foresee(services);
  await scanFinds(source, [flaw('high')]);
  await sql(
    `update notification_settings set next_digest_at = now() - interval '1 second' where digest = 'daily'`,
  );
  await prepareMessages(services);
  await sql(`update notification_settings set kinds = '{}', digest = 'none' where person_id = $1`, [off.id]);
  await sql(`update notification_settings set kinds = '{overdue}' where person_id = $1`, [without.id]);
  await sql(`update memberships set role = 'member' where person_id = $1`, [demoted.id]);
  expect(await sentBy()).toEqual([[demoted.email, 'New high finding on W']]);
  expect(mails.received[0]!.text).not.toContain('expires');
});

it('sends one mail once a server that was down for long is back', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  mails.refusal = { code: 451, text: 'later' };
  for (let outage = 0; outage < 4; outage++) {
    await scanFinds(source, [flaw('high')]);
    await turn();
  }
  mails.refusal = undefined;
  expect(await sentBy()).toEqual([[person.email, '4 new findings on W: 4 high']]);
  expect(await sentBy()).toEqual([]);
});

it('counts a change in one digest only, whenever it is sent', async () => {
  const source = await authorizedSource(service);
  await subscriber(source, { kinds: [], digest: 'daily' });
  const begin = async () => {
    await sql(`update notification_settings set next_digest_at = now() - interval '1 second'`);
    await prepareMessages(services);
  };
  await begin();
  await scanFinds(source, [flaw('high')]);
  expect((await sentBy())[0]![1]).toContain('nothing new');
  await begin();
  expect((await sentBy())[0]![1]).toContain('1 new');
});

it('begins without notifications for someone who returns', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  await sql('update memberships set left_at = now() where person_id = $1', [person.id]);
  expect(await sql('select from notification_settings where person_id = $1', [person.id])).toEqual([]);
});

it('tells nobody who has left, has no confirmed address, or does not want to know', async () => {
  const source = await authorizedSource(service);
  const gone = await subscriber(source);
  await sql('update memberships set left_at = now() where person_id = $1', [gone.id]);
  const unconfirmed = await subscriber(source);
  await sql(`update people set email = 'other-' || email where id = $1`, [unconfirmed.id]);
  await subscriber(source, { kinds: [] });
  await subscriber(source, { severity: 'critical' });
  const other = await authorizedSource(service);
  await subscriber(other);
  await scanFinds(source, [flaw('high')]);
  expect(await sentBy()).toEqual([]);
  expect(await sql('select state, error from outbox')).toEqual([
    { state: 'failed', error: 'the address is not confirmed' },
  ]);
  expect(await sql('select from outbox where organization_id = $1', [other.organizationId])).toEqual([]);
});

it('tells of new findings in a saved view, whatever their severity', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source, { severity: 'critical' });
  const { id } = await source.store.transaction(transaction =>
    createFindingView(transaction, person.id, {
      name: 'Mail & DNS',
      filters: { category: 'mail', severity: 'low,medium' },
      shared: false,
    }),
  );
  await source.store.transaction(transaction =>
    saveNotificationSettings(transaction, person.id, chosen({ kinds: [], view_ids: [id] })),
  );
  await scanFinds(source, [
    flaw('high'),
    flaw('low', { category: 'mail.no_spf', locator: 'shop.example SPF' }),
  ]);
  expect(await sentBy()).toEqual([[person.email, 'New low finding on Mail & DNS']]);
  expect(mails.received[0]!.text).toContain('New in view “Mail & DNS”');
  expect(mails.received[0]!.text).toMatch(/\/findings\?.*category=mail/);
});

it('tells only the roles that may know', async () => {
  const source = await authorizedSource(service);
  const member = await subscriber(source);
  const admin = await subscriber(source, {}, 'admin');
  const owner = await subscriber(source, {}, 'owner');
  const key = await service.mint(source.organizationId, { expiresAt: new Date(Date.now() + 86_400_000) });
  await sql(`update organizations set created_at = now() - interval '8 days' where id = $1`, [
    source.organizationId,
  ]);
  await foresee(services);
  await foresee(services);
  const sent = (await sentBy()).sort();
  expect(sent.map(([to]) => to)).toEqual([admin.email, owner.email].sort());
  expect(Object.fromEntries(sent)).toEqual({
    [admin.email]: `Test: API key ${key.token_id} expires soon`,
    [owner.email]: 'Test: 2 things need attention',
  });
  expect(mails.received.map(({ to }) => to)).not.toContain(member.email);
  expect(mails.received.find(({ to }) => to === owner.email)!.text).toContain('Parapet has no backup');
});

it('retries a mail that the server did not take, and gives up at once if it refused the address', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  await scanFinds(source, [flaw('high')]);
  mails.refusal = { code: 451, text: 'try later, secret-of-the-server' };
  expect(await sentBy()).toEqual([]);
  const [waiting] = await sql(
    'select state, attempts, error, extract(epoch from ready_at - now())::int as seconds from outbox',
  );
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, error: 'EENVELOPE 451' });
  expect(waiting.seconds).toBeGreaterThan(50);
  expect(JSON.stringify(logged)).not.toContain('secret-of-the-server');
  mails.refusal = undefined;
  expect(await sentBy()).toEqual([[person.email, 'New high finding on W']]);
  await sql(`update outbox set sent_at = sent_at - interval '1 hour'`);
  await scanFinds(source, [flaw('high')]);
  mails.refusal = { code: 550, text: 'no such user' };
  await turn();
  expect(await sql('select state, error from outbox order by created_at desc limit 1')).toEqual([
    { state: 'failed', error: 'EENVELOPE 550' },
  ]);
});

it('sends a message once, however many workers there are, and again if one died', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source);
  await scanFinds(source, [flaw('high')]);
  await prepareMessages(services);
  await Promise.all([prepareMessages(services), prepareMessages(services)]);
  await sql(`update outbox set ready_at = now() - interval '1 second'`);
  await Promise.all([sendAll(), sendAll(), sendAll()]);
  expect(mails.received.map(({ to }) => to)).toEqual([person.email]);
  const first = mails.received[0]!.messageId;
  // Its worker died after the server had taken the mail.
  await sql(`update outbox set state = 'sending', sent_at = null, ready_at = now() - interval '1 second'`);
  await sendAll();
  expect(mails.received.map(({ messageId }) => messageId)).toEqual([first, first]);
});

it('writes names and places of others as text', async () => {
  const source = await authorizedSource(service);
  await subscriber(source);
  await sql('update sources set name = $2 where id = $1', [
    source.sourceId,
    'A <b>bold</b> \u202ename\r\nBcc: x@example.org',
  ]);
  await scanFinds(source, [flaw('high', { locator: 'https://shop.example/"><script>alert(1)</script>' })]);
  await turn();
  const [mail] = mails.received;
  expect(mail!.header('bcc')).toBeUndefined();
  expect(mail!.subject).toBe('New high finding on A <b>bold</b> name Bcc: x@example.org');
  expect(mail!.html).not.toMatch(/<b>|<script/);
  expect(mail!.text).not.toContain('\u202e');
});

it('sends the new owner what someone else assigned, and nothing that they took themselves', async () => {
  const source = await authorizedSource(service);
  const owner = await subscriber(source, { kinds: ['assigned'] });
  await subscriber(source, { kinds: ['assigned'] });
  const [given, taken, moved] = await scanFinds(source, [flaw('high'), flaw('low'), flaw('low')]);
  await source.person.transaction(transaction => assignFindings(transaction, [given!, moved!], owner.id));
  await source.person.transaction(transaction => assignFindings(transaction, [moved!], null));
  const self = service.storage.tenant(source.organizationId, { kind: 'person', id: owner.id });
  await self.transaction(transaction => assignFindings(transaction, [taken!], owner.id));
  expect(await sentBy()).toEqual([[owner.email, 'Test: 1 finding assigned to you']]);
  expect(mails.received[0]!.text).toContain(`findings/${given}`);
  expect(mails.received[0]!.text).toContain('findings?owner=me');
});

it('sends a mention to the person, with the beginning of the comment', async () => {
  const source = await authorizedSource(service);
  const reader = await subscriber(source, { kinds: ['mentioned'] });
  const author = await subscriber(source, { kinds: ['mentioned'] });
  const [id] = await scanFinds(source, [flaw('high')]);
  const asAuthor = service.storage.tenant(source.organizationId, { kind: 'person', id: author.id });
  const body = `<@${reader.id}> and <@${author.id}>: please rotate the key`;
  await asAuthor.transaction(transaction => commentOnFindings(transaction, author.id, [id!], body));
  expect(await sentBy()).toEqual([[reader.email, 'Test: you were mentioned in a comment']]);
  expect(mails.received[0]!.text).toContain('A member mentioned you: A high problem');
  expect(mails.received[0]!.text).toContain('Comment: @… and @…: please rotate the key');
  expect(mails.received[0]!.text).not.toContain(reader.id);
});

it('reports once what became overdue: to a person their own findings and those without an owner', async () => {
  const source = await authorizedSource(service);
  const reader = await subscriber(source, { kinds: ['overdue'] });
  const other = await subscriber(source, { kinds: [] });
  const titles = ['Due before', 'Due today', 'Free', 'Mine', 'Of others'];
  await scanFinds(
    source,
    titles.map(title => flaw('high', { title })),
  );
  const set = (title: string, days: number, owner: string | null) =>
    sql(
      `update findings set due_on = (now() at time zone 'UTC')::date + $2::int, owner_id = $3 where title = $1`,
      [title, days, owner],
    );
  await set('Due before', -10, null);
  await set('Due today', 0, null);
  await set('Free', -1, null);
  await set('Mine', -1, reader.id);
  await set('Of others', -1, other.id);
  await foresee(services);
  await foresee(services);
  expect(await sentBy()).toEqual([[reader.email, 'Test: 2 findings overdue']]);
  const named = titles.filter(title => mails.received[0]!.text.includes(title));
  expect(named).toEqual(['Free', 'Mine']);
});

it('sends a digest of what changed, also if nothing did', async () => {
  const source = await authorizedSource(service);
  const person = await subscriber(source, { kinds: [], digest: 'daily' });
  const due = () => sql(`update notification_settings set next_digest_at = now() - interval '1 second'`);
  await due();
  const [[to, subject]] = (await sentBy()) as [[string, string]];
  expect([to, subject]).toEqual([person.email, expect.stringMatching(/^Test: nothing new \(/)]);
  const [fixed] = await scanFinds(source, [flaw('critical'), flaw('low')]);
  await sql(`update finding_episodes set closed_at = now() where finding_id = $1`, [fixed]);
  await sql(`update findings set observed = false where id = $1`, [fixed]);
  await due();
  expect((await sentBy())[0]![1]).toMatch(/^Test: 2 new and 1 resolved \(/);
  expect(mails.received[1]!.text).toContain('Resolved');
  await due();
  expect((await sentBy())[0]![1]).toMatch(/nothing new/);
  const [{ hours }] = await sql(
    `select extract(epoch from next_digest_at - now()) / 3600 as hours from notification_settings`,
  );
  expect(Number(hours)).toBeGreaterThan(0);
  expect(Number(hours)).toBeLessThanOrEqual(24);
});

const formats: readonly ChannelFormat[] = ['slack', 'teams', 'mattermost', 'google_chat', 'discord'];

it.each(formats)('posts to a channel in the format of %s', async format => {
  const bodies: string[] = [];
  let answer = 200;
  const chat = await httpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', part => {
      body += part;
    });
    request.on('end', () => {
      bodies.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
      response.writeHead(answer, answer === 429 ? { 'retry-after': '600' } : {}).end('ok');
    });
  });
  try {
    const source = await authorizedSource(service);
    await addChannel(source, chat, format);
    await scanFinds(source, [flaw('critical', { title: '@everyone *look* <!channel>' }), flaw('low')]);
    answer = 429;
    await turn();
    const [waiting] = await sql(
      'select state, error, extract(epoch from ready_at - now())::int as seconds from outbox',
    );
    expect(waiting).toMatchObject({ state: 'waiting', error: 'HTTP 429' });
    expect(waiting.seconds).toBeGreaterThan(590);
    answer = 200;
    await turn();
    expect(bodies).toHaveLength(2);
    const body = bodies[1]!;
    expect(body).toMatch(/^POST \/hook\/secret\?a=1 application\/json; charset=utf-8 \{/);
    const json = JSON.parse(body.slice(body.indexOf('{')));
    expect(JSON.stringify(json)).toContain('New critical finding on W');
    expect(await sql('select state, error from outbox')).toEqual([{ state: 'sent', error: null }]);
    expect(JSON.stringify(logged)).not.toContain('secret');
  } finally {
    await chat.close();
  }
});

async function addChannel(source: AuthorizedSource, { port }: TestServer, format: ChannelFormat) {
  return source.store.transaction(transaction =>
    createChannel(transaction, service.storage.keyRing, {
      ...{ name: 'Chat', format, url: `http://127.0.0.1:${port}/hook/secret?a=1` },
      ...{ kinds: ['new_findings', 'scan_failed'], severity: 'high', digest: 'none', time_zone: 'UTC' },
    }),
  );
}

it('posts only to public addresses, and follows no redirect', async () => {
  const source = await authorizedSource(service);
  let asked = 0;
  const inside = await httpServer((_, response) => {
    asked += 1;
    response.end();
  });
  const chat = await httpServer((_, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end(),
  );
  try {
    await addChannel(source, inside, 'slack');
    await scanFinds(source, [flaw('high')]);
    await prepareMessages(services);
    await sql(`update outbox set ready_at = now() - interval '1 second'`);
    await sendMessages({ ...services, messages: { ...services.messages, webhookAllowlist: [] } }, 'chat');
    expect(await sql('select state, error from outbox')).toEqual([
      { state: 'waiting', error: 'refused_private_address' },
    ]);
    await sql('delete from notification_channels');
    await addChannel(source, chat, 'slack');
    await scanFinds(source, [flaw('high')]);
    await turn();
    expect(await sql('select error from outbox')).toEqual([{ error: 'HTTP 307' }]);
    expect(asked).toBe(0);
  } finally {
    await Promise.all([inside.close(), chat.close()]);
  }
});

it('stores a notice only with what it is about', async () => {
  const source = await authorizedSource(service);
  await subscriber(source);
  const failed = source.store.transaction(async transaction => {
    await recordNotice(transaction, { kind: 'scan_failed', objectId: randomUUID() });
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await sql('select from notices')).toEqual([]);
});
