import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { findPasskey, insertPasskey, listCredentials } from '../../src/resources/people/passkeys.ts';
import {
  registerWithoutAttestation,
  registerWithRevocationList,
  registerWithSelfAttestation,
} from '../support/attestation.ts';
import { DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import { addPasskey } from '../support/passkey.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let person: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  person = await addPerson(service, await service.createOrganization(), 'member', { secondFactor: true });
});

async function signedInAgain({ email, password, totpSecret }: TestPerson): Promise<DashboardClient> {
  const client = new DashboardClient(service.url);
  await client.post('/sign-in', { email, password });
  await client.post('/second-factor', { type: 'totp', code: await totpCode(totpSecret!) });
  return client;
}

const optionsFor = async () => (await person.client.post('/account/passkeys/options')).json.options;

async function add(response: (registration: { challenge: string; origin: string }) => object) {
  const { challenge } = await optionsFor();
  return person.client.post('/account/passkeys', {
    name: 'Soft',
    response: response({ challenge, origin: service.url }),
  });
}

it('accepts a passkey with the attestations that browsers pass on', async () => {
  for (const register of [registerWithoutAttestation, registerWithSelfAttestation]) {
    const answer = await add(register);
    expect(answer.status, answer.text).toBe(200);
  }
});

it('stores the origin where a passkey was added', async () => {
  let id = '';
  const answer = await add(registration => {
    const made = registerWithoutAttestation(registration) as { id: string };
    id = made.id;
    return made;
  });
  expect(answer.status, answer.text).toBe(200);
  expect((await findPasskey(service.storage.people, id))?.origin).toBe(service.url);
});

it('stores the known transports of a passkey, and ignores others', async () => {
  for (const transports of [['usb', 'hybrid', 'a\0b', 7], 'usb', { length: 1 }, [null], undefined]) {
    const answer = await add(registration => {
      const made = registerWithoutAttestation(registration) as { response: object };
      return { ...made, response: { ...made.response, transports } };
    });
    expect(answer.status, JSON.stringify(transports)).toBe(200);
  }
  const stored = await listCredentials(service.storage.people, person.id);
  expect(stored.slice(-5).map(({ transports }) => transports)).toEqual([['hybrid', 'usb'], [], [], [], []]);
});

it('accepts keys and ids of ordinary size only', async () => {
  const added = async (size: {
    credentialIdBytes?: number;
    modulusBytes?: number;
    padding?: number;
    entries?: number;
  }) => (await add(registration => registerWithoutAttestation({ ...registration, ...size }))).status;
  expect(await added({ credentialIdBytes: 1_023 })).toBe(200);
  expect(await added({ credentialIdBytes: 1_024 })).toBe(400);
  expect(await added({ modulusBytes: 512 })).toBe(200);
  expect(await added({ modulusBytes: 2_048 })).toBe(400);
  expect(await added({ padding: 10_000 }), 'not decoded').toBe(400);
  expect(await added({ entries: 200 }), 'not decoded').toBe(400);
});

it('fetches nothing that an attestation references', async () => {
  const fetched: string[] = [];
  const inside = createServer((request, response) => {
    fetched.push(request.url!);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  try {
    const { port } = inside.address() as AddressInfo;
    const answer = await add(registration =>
      registerWithRevocationList(registration, `http://127.0.0.1:${port}/inside`),
    );
    expect(fetched).toEqual([]);
    expect(answer.json.error_code, answer.text).toBe('passkey_refused');
  } finally {
    inside.close();
  }
});

it('is the first factor in one session only, if two set one up simultaneously', async () => {
  const member = await addPerson(service, await service.createOrganization(), 'member');
  const elsewhere = new DashboardClient(service.url);
  await elsewhere.post('/sign-in', { email: member.email, password: member.password });
  const registering = await Promise.all(
    [member.client, elsewhere].map(async client => {
      const { challenge } = (await client.post('/account/passkeys/options')).json.options;
      const response = registerWithoutAttestation({ challenge, origin: service.url });
      return () => client.post('/account/passkeys', { name: 'First', response });
    }),
  );
  const lock = `select from people where id = '${member.id}' for update`;
  const answers = await raceBehindLock(service.database.connection, lock, registering);
  const outcomes = answers.map(({ status, json }) => json.backup_codes?.length ?? status);
  expect(outcomes).toHaveLength(2);
  expect(outcomes).toEqual(expect.arrayContaining([10, 401]));
  const states = [(await member.client.session()).state, (await elsewhere.session()).state];
  expect(states.sort()).toEqual(['signed_in', 'signed_out']);
});

it('limits a person to 20 passkeys, even if two are added simultaneously', async () => {
  const person = await addPerson(service, await service.createOrganization(), 'member', {
    secondFactor: true,
  });
  const { people } = service.storage;
  const stored = await listCredentials(people, person.id);
  for (let index = stored.length; index < 19; index++) {
    const passkey = {
      publicKey: Buffer.alloc(77),
      signCount: 0,
      transports: [],
      origin: service.url,
      name: 'Stored',
    };
    await insertPasskey(people, person.id, { ...passkey, credentialId: `stored_${index}` });
  }
  // Each session has its own challenge.
  const registering = async ({ client }: Pick<TestPerson, 'client'>) => {
    const asked = await client.post('/account/passkeys/options');
    expect(asked.status, asked.text).toBe(200);
    const { challenge } = asked.json.options;
    const response = registerWithoutAttestation({ challenge, origin: service.url });
    return () => client.post('/account/passkeys', { name: 'Last', response });
  };
  const elsewhere = await signedInAgain(person);
  const both = [await registering(person), await registering({ client: elsewhere })];
  const lock = `select from people where id = '${person.id}' for update`;
  const answers = await raceBehindLock(service.database.connection, lock, both);
  expect(answers.map(({ status }) => status).sort(), 'the first one ends the other session').toEqual([
    200, 401,
  ]);
  expect(await listCredentials(people, person.id)).toHaveLength(20);
  const left = answers[0]!.status === 200 ? person.client : elsewhere;
  expect((await left.post('/account/passkeys/options')).json.error_code).toBe('too_many_passkeys');
});

it('is renamed with an entry in the audit log', async () => {
  const organizationId = await service.createOrganization();
  const owner = await addPerson(service, organizationId, 'owner');
  await addPasskey(service, owner);
  const [passkey] = (await owner.client.get('/account/security')).json.passkeys;
  const path = `/account/passkeys/${passkey.id}`;
  expect((await owner.client.request('PATCH', path, { name: 'Desk' })).json.passkeys[0].name).toBe('Desk');
  const log = await owner.client.get(`/organizations/${organizationId}/audit?action=person.passkey_renamed`);
  expect(log.json.entries).toMatchObject([
    { actor: { id: owner.id }, object: { id: owner.id }, detail: { passkey: passkey.id, to: 'Desk' } },
  ]);
});
