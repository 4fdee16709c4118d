import { expect, it } from 'vitest';
import { loginOf } from './login-of.ts';

const url = 'http://127.0.0.1:8080';

it('says how to make a login or key that is missing', async () => {
  const { machine, bouncerKey } = loginOf({
    url,
    machine: { id: 'edge', password: { env: 'NO_SUCH_PASSWORD' } },
    bouncerKey: { file: '/no/such/key' },
  });
  await expect(machine!.password()).rejects.toThrow(
    /^the password of CrowdSec: the environment variable NO_SUCH_PASSWORD is not set, or not exported\. Set the variable and restart the forwarder, or make one with `cscli machines add edge`/,
  );
  await expect(bouncerKey!()).rejects.toThrow(
    /^the bouncer key of CrowdSec: the file \/no\/such\/key does not exist\. Make one with `cscli bouncers add parapet`, or remove crowdsec/,
  );
});
