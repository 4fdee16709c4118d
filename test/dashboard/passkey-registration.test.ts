import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
