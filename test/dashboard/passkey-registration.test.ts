import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedPasskeys } from '../../src/storage/people/passkeys.ts';
import {
  registerWithoutAttestation,
  registerWithRevocationList,
  registerWithSelfAttestation,
} from '../support/attestation.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let person: TestPerson;
beforeAll(async () => {
  service = await startService();
  person = await addPerson(service, await service.createOrganization(), 'member', { secondFactor: true });
});
afterAll(() => service?.close());

const optionsFor = async () => (await person.client.post('/account/passkeys/options')).json.options;

async function add(response: (registration: { challenge: string; origin: string }) => object) {
  const { challenge } = await optionsFor();
  return person.client.post('/account/passkeys', {
    name: 'Soft',
    response: response({ challenge, origin: service.url }),
  });
}

it('takes a passkey with the attestations that browsers pass on', async () => {
  for (const register of [registerWithoutAttestation, registerWithSelfAttestation]) {
    const answer = await add(register);
    expect(answer.status, answer.text).toBe(200);
  }
});

it('keeps the known transports of a passkey, whatever is sent as such', async () => {
  for (const transports of [['usb', 'hybrid', 'a\0b', 7], 'usb', { length: 1 }, [null], undefined]) {
    const answer = await add(registration => {
      const made = registerWithoutAttestation(registration) as { response: object };
      return { ...made, response: { ...made.response, transports } };
    });
    expect(answer.status, JSON.stringify(transports)).toBe(200);
  }
  const stored = await storedPasskeys(service.storage.people, person.id);
  expect(stored.slice(-5).map(({ transports }) => transports)).toEqual([['hybrid', 'usb'], [], [], [], []]);
});

it('fetches nothing that an attestation names', async () => {
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
