import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readClientSettings } from './settings.ts';

const signingKey = 'svc_sign_MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';
const environment = {
  PARAPET_TOKEN: 'svc_live_secret1',
  PARAPET_TOKEN_ID: '6F1C2B1E-4c0e-4a53-9a59-0d7c5f2e8b10',
  PARAPET_SIGNING_KEY: signingKey,
};

it('fills in what has a default', () => {
  expect(readClientSettings(environment)).toMatchObject({
    url: 'http://127.0.0.1:8080',
    tokenId: '6f1c2b1e-4c0e-4a53-9a59-0d7c5f2e8b10',
    brand: 'service',
  });
});

it('reads the token and the signing key from files as well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-test-'));
  const { PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY } = environment;
  const [token, key] = [join(folder, 'token'), join(folder, 'signing-key')];
  writeFileSync(token, `${PARAPET_TOKEN}\n`);
  writeFileSync(key, `${PARAPET_SIGNING_KEY}\n`);
  const env = { PARAPET_TOKEN_ID, PARAPET_TOKEN_FILE: token, PARAPET_SIGNING_KEY_FILE: key };
  const { token: read, signingKey: readKey } = readClientSettings(env);
  expect(read).toBe(PARAPET_TOKEN);
  expect(readKey.equals(readClientSettings(environment).signingKey)).toBe(true);
  rmSync(folder, { recursive: true });
  expect(() => readClientSettings(env)).toThrow('the file in PARAPET_TOKEN_FILE cannot be read (ENOENT)');
});

it('names every variable that is missing', () => {
  expect(() => readClientSettings({ PARAPET_TOKEN_ID: environment.PARAPET_TOKEN_ID })).toThrow(
    /^PARAPET_TOKEN, PARAPET_SIGNING_KEY must be set/,
  );
});

/** As long as a signing key, but for key agreement. */
const x25519 = generateKeyPairSync('x25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64url');

it.each([
  ['PARAPET_URL', 'parapet.example.org'],
  ['PARAPET_URL', 'https://user:secret2@parapet.example.org'],
  ['PARAPET_URL', 'https://parapet.example.org/api/v1/'],
  ['PARAPET_TOKEN', 'secret3 with spaces'],
  ['PARAPET_TOKEN', 'secret3\nx-injected: 1'],
  ['PARAPET_TOKEN_ID', 'svc_live_secret4'],
  ['PARAPET_SIGNING_KEY', 'secret5'],
  ['PARAPET_SIGNING_KEY', signingKey.replace('svc_sign_', '')],
  ['PARAPET_SIGNING_KEY', signingKey.replace('MC4C', 'AAAA')],
  ['PARAPET_SIGNING_KEY', `svc_sign_${x25519}`],
  ['PARAPET_BRAND', 'X-Y'],
])('refuses a wrong %s (%j) in one line that does not repeat it', (name, value) => {
  let message = '';
  try {
    readClientSettings({ ...environment, [name]: value });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(new RegExp(`^${name} `));
  expect(message).not.toContain('\n');
  expect(message).not.toContain(value);
  expect(message).not.toMatch(/secret|MC4C|AAAA/);
});
