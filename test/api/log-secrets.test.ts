import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Answer, type ClientKey, send, signRequest } from '../support/signing-client.ts';
import { createFixture, routes } from './routes.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ privilegedConnections: true });
});
afterAll(() => service?.close());

const password = 'the-password-that-nobody-may-see';
const dsn = 'postgresql://scanner:another-password-to-hide@db.example/app';

it('writes no secret to a log or a response, in success or failure (spec 1, 4)', async () => {
  const fixture = await createFixture(service);
  const key = await service.mint(fixture.organizationId, { privileged: true });
  const answers: Answer[] = [];
  const ask = async (
    method: string,
    target: string,
    body?: string,
    signer: ClientKey = key,
    mutate?: (parts: ReturnType<typeof signRequest>) => void,
  ) => {
    const parts = signRequest(signer, method, target, body);
    mutate?.(parts);
    const answer = await send(service.url, parts);
    answers.push(answer);
    return answer;
  };
  const credential = (value: object) => JSON.stringify({ credential: value });
  const path = `/api/v1/sources/${fixture.sourceId}/credential`;
  const basic = { type: 'basic', username: 'scanner', password };

  for (const route of routes.filter(({ method }) => method !== 'DELETE')) {
    await ask(route.method, route.path(fixture), route.body && JSON.stringify(route.body(fixture)));
  }
  await ask('POST', path, credential(basic));
  await ask('POST', path, credential({ type: 'dsn', dsn }));
  await ask('POST', path, credential({ ...basic, extra: password }));
  await ask('POST', path, credential({ type: 'basic', username: 1, password }));
  await ask('POST', path, `{"credential":"${password}`);
  await ask(
    'POST',
    '/api/v1/sources',
    JSON.stringify({
      system_id: fixture.systemId,
      name: 'x',
      kind: 'website',
      host: `https://u:${password}@h.example/`,
    }),
  );
  await ask('GET', `/api/v1/findings?limit=${password}`);
  await ask('GET', `/api/v1/findings/${password}`);
  await ask('POST', path, credential(basic), key, parts => {
    parts.headers['x-service-signature'] = '0'.repeat(128);
  });
  // Internal failures, which are logged with the database's error.
  const change = (sql: string) => asOwner(service.database.connection, client => client.query(sql));
  await change('alter table source_credentials rename to moved');
  expect((await ask('POST', path, credential(basic))).status).toBe(500);
  await change('alter table moved rename to source_credentials');
  await change("alter table source_credentials add constraint refuse check (type <> 'basic') not valid");
  expect((await ask('POST', path, credential(basic))).status).toBe(500);
  await change('alter table source_credentials drop constraint refuse');

  const { password: databasePassword } = service.database.connection;
  const secrets = {
    password,
    'password in hex': Buffer.from(password).toString('hex'),
    dsn: 'another-password-to-hide',
    token: key.token,
    'hash of the token': createHash('sha256').update(key.token).digest('hex'),
    'signing key': key.signing_key,
    'signing key without prefix': key.signing_key.slice('svc_sign_'.length),
    "fixture's token": fixture.key.token,
    'database password': String(databasePassword),
  };
  const log = service.log.join('');
  expect(log.match(/request\.failed/g)).toHaveLength(2);
  expect(log).toContain(key.token_id);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(log.includes(secret), `${name} in the log`).toBe(false);
    expect(
      answers.some(answer => answer.text.includes(secret)),
      `${name} in an answer`,
    ).toBe(false);
  }
});
