import { beforeAll, expect, it } from 'vitest';
import { makeCode } from '../../src/resources/notifications/preferences.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let organizationId: string;
let admin: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  organizationId = await service.createOrganization();
  admin = await addPerson(service, organizationId, 'admin');
});

const sql = async (text: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(text, values))).rows;
const path = (rest: string) => `/organizations/${organizationId}${rest}`;
const confirm = (person: TestPerson, code: string) =>
  person.client.request('POST', path('/notifications/confirm'), { code });
const member = () => addPerson(service, organizationId, 'member');
const confirmed = async (person: TestPerson) =>
  (await person.client.request('GET', path('/notifications'))).json.mail.confirmed;

it('confirms an address with its code once, after at most five tries', async () => {
  const person = await member();
  const code = await makeCode(service.storage.people, person.id);
  const wrong = code === '111111' ? '222222' : '111111';
  for (let tries = 0; tries < 5; tries++)
    expect((await confirm(person, wrong)).json.error_code).toBe('code_incorrect');
  expect((await confirm(person, code)).json.error_code, 'the sixth try').toBe('code_incorrect');
  const next = await makeCode(service.storage.people, person.id);
  expect((await confirm(person, code)).status, 'the code before').toBe(next === code ? 200 : 400);
  expect((await confirm(person, next)).json.mail.confirmed).toBe(true);
  expect((await confirm(person, next)).status, 'used before').toBe(400);
});

it('confirms no address with the code of another person, an earlier address or an hour ago', async () => {
  const [one, other] = [await member(), await member()];
  const code = await makeCode(service.storage.people, one.id);
  expect((await confirm(other, code)).status).toBe(400);
  await sql(`update people set email = 'new-' || email where id = $1`, [one.id]);
  expect((await confirm(one, code)).status, 'another address').toBe(400);
  const next = await makeCode(service.storage.people, one.id);
  await sql(
    `update person_preferences set code_expires_at = now() - interval '1 second' where person_id = $1`,
    [one.id],
  );
  expect((await confirm(one, next)).status, 'expired').toBe(400);
  expect(await confirmed(one)).toBe(false);
});

it('needs a new confirmation when the address of the account changes', async () => {
  const person = await member();
  await confirm(person, await makeCode(service.storage.people, person.id));
  expect(await confirmed(person)).toBe(true);
  await sql(`update people set email = 'new-' || email where id = $1`, [person.id]);
  expect(await confirmed(person)).toBe(false);
});

it('never returns the URL of a channel, and keeps it when another field changes', async () => {
  const url = 'https://hooks.chat.example:8443/services/T0/B0/very-secret';
  const fields = {
    name: 'Ops',
    format: 'slack',
    kinds: [],
    severity: 'high',
    digest: 'none',
    time_zone: 'UTC',
  };
  const { json } = await admin.client.request('POST', path('/channels'), { ...fields, url });
  expect(json.channel).toMatchObject({ ...fields, host: 'hooks.chat.example:8443', last_message: null });
  const { id } = json.channel;
  const changed = await admin.client.request('PUT', path(`/channels/${id}`), {
    ...fields,
    name: 'Operations',
  });
  const list = await admin.client.request('GET', path('/channels'));
  expect(list.json.channels).toMatchObject([{ id, name: 'Operations', host: 'hooks.chat.example:8443' }]);
  const [stored] = await sql('select ciphertext from notification_channels where id = $1', [id]);
  const audit = await sql('select detail from audit_entries where object_id = $1', [id]);
  const seen = [json, changed.json, list.json, audit, stored.ciphertext.toString('latin1')];
  expect(JSON.stringify(seen)).not.toContain('very-secret');
});

it.each([
  ['ftp://chat.example/hook', 'must begin with https://'],
  ['https://user:password@chat.example/hook', 'must not contain a user or password'],
  ['not a url', 'must be the URL of an incoming webhook'],
])('refuses %s as a webhook', async (url, message) => {
  const fields = {
    name: 'Ops',
    format: 'slack',
    kinds: [],
    severity: 'high',
    digest: 'none',
    time_zone: 'UTC',
  };
  const answer = await admin.client.request('POST', path('/channels'), { ...fields, url });
  expect(answer.json.fields).toEqual([{ path: 'url', message }]);
});

it('refuses time zones that it does not know', async () => {
  for (const time_zone of ['Mars/Base', 'UTC+2']) {
    const answer = await admin.client.request('PUT', '/account/preferences', {
      time_zone,
      quiet_hours: null,
    });
    expect([answer.status, answer.json.fields[0].path]).toEqual([400, 'time_zone']);
  }
});

it('limits the messages that a person can have sent', async () => {
  const person = await member();
  const send = () => person.client.request('POST', path('/notifications/code'), {});
  for (let sent = 0; sent < 10; sent++) expect((await send()).status).toBe(202);
  expect((await send()).json.error_code).toBe('too_many_changes');
});

it('shows a preview that can load and run nothing', async () => {
  const answer = await admin.client.request('GET', path('/notifications/preview/html?purpose=digest'));
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'none'",
  );
  expect(answer.text).toContain('<!doctype html>');
});
