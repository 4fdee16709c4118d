import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitAttempt, rightSignIn } from '../../src/resources/people/sign-in-attempts.ts';
import { DashboardClient, type HeaderChanges } from '../support/dashboard-client.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import { type AssertionParts, addPasskey, type SoftPasskey } from '../support/passkey.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';

let service: TestService;
let other: TestNode;
let person: TestPerson;
let passkey: SoftPasskey;
beforeAll(async () => {
  service = await startService();
  other = await service.addNode();
  person = await addPerson(service, await service.createOrganization(), 'owner');
  passkey = await addPasskey(service, person);
});
afterAll(() => service?.close());

/** A browser with a challenge. */
async function begin(): Promise<{ client: DashboardClient; challenge: string }> {
  const client = new DashboardClient(service.url);
  const { options } = (await client.post('/sign-in/passkey/options')).json;
  return { client, challenge: options.challenge };
}

const give = (client: DashboardClient, response: object) => client.post('/sign-in/passkey', { response });

async function outcome(parts: Partial<AssertionParts>, by = passkey): Promise<string> {
  const { client, challenge } = await begin();
  const { json } = await give(client, by.answer(challenge, parts));
  return json.error_code ?? json.state;
}

it('accepts a verified user, which counts as both factors and a step-up', async () => {
  const { client, challenge } = await begin();
  const answer = await give(client, passkey.answer(challenge));
  expect(answer.json, answer.text).toMatchObject({ state: 'signed_in', person: { id: person.id } });
  expect((await client.get('/step-up')).status).toBe(200);
});

it('is not delayed by sign-ins with the password', async () => {
  const owner = await addPerson(service, await service.createOrganization(), 'owner');
  const own = await addPasskey(service, owner);
  const byPassword = [rightSignIn('password', owner.id, '127.0.0.1', undefined)];
  const { people } = service.storage;
  while ((await admitAttempt(people, byPassword)).wait === 0);
  expect(await outcome({}, own)).toBe('signed_in');
});

it('refuses a response for another site, of an unverified user, of another kind or for another account', async () => {
  const wrong: Partial<AssertionParts>[] = [
    { userVerified: false },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.create' },
    { userHandle: undefined },
    { userHandle: Buffer.alloc(16).toString('base64url') },
  ];
  for (const parts of wrong) expect(await outcome(parts), JSON.stringify(parts)).toBe('passkey_refused');
  expect(await outcome({})).toBe('signed_in');
});

it('accepts an unverified user after a password, but not for a step-up', async () => {
  const { client } = person;
  const ask = async (session: DashboardClient) =>
    (await session.post('/second-factor/passkey-options')).json.options;
  const answerOf = async (session: DashboardClient, userVerified: boolean) => {
    const { challenge } = await ask(session);
    const response = passkey.answer(challenge, { userVerified });
    return (await session.post('/second-factor', { type: 'passkey', response })).status;
  };
  const signingIn = new DashboardClient(service.url);
  await signingIn.post('/sign-in', { email: person.email, password: person.password });
  expect((await ask(signingIn)).userVerification).toBe('preferred');
  expect(await answerOf(signingIn, false)).toBe(200);
  expect((await ask(client)).userVerification).toBe('required');
  expect(await answerOf(client, false)).toBe(401);
  expect(await answerOf(client, true)).toBe(200);
});

describe('without a public URL', () => {
  /** A page on another port of the host, which forwards responses with headers that name itself. */
  const elsewhere = 'http://127.0.0.1:9';
  const relayed = { origin: elsewhere, 'x-forwarded-host': new URL(elsewhere).host };

  /** A sign-in whose response is signed for one origin, in requests with headers of that origin. */
  async function signInAt(origin: string, by: SoftPasskey): Promise<string> {
    const headers = origin === elsewhere ? relayed : {};
    const client = new DashboardClient(service.url);
    const { options } = (await client.post('/sign-in/passkey/options', {}, headers)).json;
    const response = by.answer(options.challenge, { origin });
    const { json } = await client.post('/sign-in/passkey', { response }, headers);
    return json.error_code ?? json.state;
  }

  it('accepts a response for the origin where the passkey was added, whatever the headers say', async () => {
    expect(await signInAt(elsewhere, passkey)).toBe('passkey_refused');
    expect(await signInAt(service.url, passkey)).toBe('signed_in');
  });

  it('steps up a session with a response for that origin only', async () => {
    const owner = await addPerson(service, await service.createOrganization(), 'owner', { steppedUp: false });
    const own = await addPasskey(service, owner);
    const stepUpAt = async (origin: string, headers: HeaderChanges) => {
      const { options } = (await owner.client.post('/second-factor/passkey-options', {}, headers)).json;
      const response = own.answer(options.challenge, { origin });
      return (await owner.client.post('/second-factor', { type: 'passkey', response }, headers)).status;
    };
    expect(await stepUpAt(elsewhere, relayed)).toBe(401);
    expect((await owner.client.get('/step-up')).json.error_code).toBe('step_up_required');
    expect(await stepUpAt(service.url, {})).toBe(200);
  });

  it('stores the origin of the first use of a passkey without one', async () => {
    const older = await addPasskey(service, person, null);
    expect(await signInAt(service.url, older)).toBe('signed_in');
    expect(await signInAt(elsewhere, older)).toBe('passkey_refused');
    expect(await signInAt(service.url, older)).toBe('signed_in');
  });

  it('stores one origin of two simultaneous first uses', async () => {
    const { id } = await addPerson(service, await service.createOrganization(), 'member');
    const older = await addPasskey(service, { ...person, id }, null);
    const begun = await Promise.all(
      [service.url, elsewhere].map(async origin => {
        const headers = origin === elsewhere ? relayed : {};
        const client = new DashboardClient(service.url);
        const { options } = (await client.post('/sign-in/passkey/options', {}, headers)).json;
        const response = older.answer(options.challenge, { origin });
        return () => client.post('/sign-in/passkey', { response }, headers);
      }),
    );
    const lock = `select from passkeys where person_id = '${id}' for update`;
    const answers = await raceBehindLock(service.database.connection, lock, begun);
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 400]);
  });
});

it('accepts only responses for the public URL, if it is set', async () => {
  const publicUrl = 'https://parapet.example';
  const named = await startService({ publicUrl });
  try {
    const owner = await addPerson(named, await named.createOrganization(), 'owner');
    const own = await addPasskey(named, owner, 'https://parapet.example:8443');
    const signInAt = async (origin: string) => {
      const client = new DashboardClient(named.url);
      const headers = { origin: publicUrl };
      const { options } = (await client.post('/sign-in/passkey/options', {}, headers)).json;
      const response = own.answer(options.challenge, { origin, rpId: 'parapet.example' });
      // Over TLS cookies have other names, which the client stores as well.
      return (await client.post('/sign-in/passkey', { response }, headers)).status;
    };
    expect(await signInAt('https://parapet.example:8443')).toBe(400);
    expect(await signInAt(publicUrl)).toBe(200);
  } finally {
    await named.close();
  }
});

/** A map with one entry, an array of this many empty texts. */
function texts(count: number): Buffer {
  const head = Buffer.from(count < 24 ? [0x80 + count] : [0x99, count >> 8, count & 0xff]);
  return Buffer.concat([Buffer.from('a11820', 'hex'), head, Buffer.alloc(count, 0x60)]);
}

it('accepts extensions of authenticators, but not thousands of entries, which are decoded one by one', async () => {
  const ordinary = Buffer.from('a16b686d61632d736563726574f5', 'hex');
  for (const extensions of [ordinary, texts(8)]) expect(await outcome({ extensions })).toBe('signed_in');
  for (const count of [300, 1_000, 8_000]) {
    expect(await outcome({ extensions: texts(count) }), `${count}`).toBe('passkey_refused');
  }
  // One long text is a single entry, but no authenticator sends it.
  const long = Buffer.concat([Buffer.from('a1182059', 'hex'), Buffer.from([0x10, 0]), Buffer.alloc(4_096)]);
  expect(await outcome({ extensions: long })).toBe('passkey_refused');
});

it('limits them the same as a second factor', async () => {
  const { email, password } = person;
  const answers = [];
  for (const extensions of [texts(8), texts(1_000)]) {
    const signedIn = new DashboardClient(service.url);
    await signedIn.post('/sign-in', { email, password });
    const { challenge } = (await signedIn.post('/second-factor/passkey-options')).json.options;
    const response = passkey.answer(challenge, { extensions });
    answers.push((await signedIn.post('/second-factor', { type: 'passkey', response })).status);
  }
  expect(answers).toEqual([200, 401]);
});

it('accepts a response once, on any node, in the browser that was given the challenge', async () => {
  const { client, challenge } = await begin();
  const cookies = new Map(client.otherCookies);
  const answer = passkey.answer(challenge);
  const elsewhere = new DashboardClient(service.url);
  expect((await give(elsewhere, answer)).json.error_code, 'no cookie').toBe('passkey_refused');
  expect((await give((await begin()).client, answer)).json.error_code, 'another').toBe('passkey_refused');
  expect((await give(client, answer)).status).toBe(200);
  // The authenticator does not count, so only the challenge detects the replay.
  const replay = new DashboardClient(other.url);
  for (const [name, value] of cookies) replay.otherCookies.set(name, value);
  expect((await give(replay, passkey.answer(challenge))).json.error_code).toBe('passkey_refused');
});

it('counts an attempt for the person in the response, and none for unknown people or challenges', async () => {
  const counted = await addPerson(service, await service.createOrganization(), 'member');
  const own = await addPasskey(service, counted);
  const attempts = () =>
    asOwner(service.database.connection, async client => {
      const { rows } = await client.query(
        'select coalesce(sum(failures), 0)::int as n from sign_in_attempts',
      );
      return rows[0].n;
    });
  const { client, challenge } = await begin();
  const cookies = new Map(client.otherCookies);
  expect((await give(client, own.answer(challenge))).status).toBe(200);
  const before = await attempts();
  const replay = new DashboardClient(service.url);
  for (const [name, value] of cookies) replay.otherCookies.set(name, value);
  const outcomes = [
    await give(replay, own.answer(challenge)),
    await give(new DashboardClient(service.url), own.answer(challenge)),
    await give((await begin()).client, { id: 'AAAA' }),
  ];
  expect(outcomes.map(({ json }) => json.error_code)).toEqual(Array(3).fill('passkey_refused'));
  expect(await attempts()).toBe(before);
  expect(await outcome({ origin: 'https://evil.example' }, own)).toBe('passkey_refused');
  expect(await attempts()).toBe(before + 1);
});

it('refuses a challenge that was issued for something else', async () => {
  const from = { 'x-forwarded-for': '198.51.100.200' };
  const guess = () =>
    new DashboardClient(service.url).post('/sign-in', { email: person.email, password: 'a wrong one' }, from);
  let work: { challenge: string } | undefined;
  for (let attempt = 0; attempt < 12 && !work; attempt++) work = (await guess()).json.proof_of_work;
  const client = new DashboardClient(service.url);
  client.otherCookies.set('parapet_challenge', work!.challenge);
  const challenge = Buffer.from(work!.challenge).toString('base64url');
  expect((await give(client, passkey.answer(challenge))).json.error_code).toBe('passkey_refused');
});

it('refuses an authenticator whose counter decreased or did not change', async () => {
  const counting = await addPerson(service, await service.createOrganization(), 'member');
  const own = await addPasskey(service, counting);
  const outcomes = [];
  for (const counter of [7, 7, 6, 0, 8]) outcomes.push(await outcome({ counter }, own));
  expect(outcomes).toEqual([
    'signed_in',
    'passkey_refused',
    'passkey_refused',
    'passkey_refused',
    'signed_in',
  ]);
  const log = await asOwner(service.database.connection, client =>
    client.query(`select action from ${recordedEntries} where object_id = $1`, [counting.id]),
  );
  expect(log.rows.filter(row => row.action === 'person.sign_in_failed')).toHaveLength(3);
});

it('accepts a counter once, of two simultaneous responses', async () => {
  const counting = await addPerson(service, await service.createOrganization(), 'member');
  const own = await addPasskey(service, counting);
  const give9 = async () => {
    const { client, challenge } = await begin();
    return () => give(client, own.answer(challenge, { counter: 9 }));
  };
  const lock = `select from passkeys where person_id = '${counting.id}' for update`;
  const answers = await raceBehindLock(service.database.connection, lock, [await give9(), await give9()]);
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 400]);
});
