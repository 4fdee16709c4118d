import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClientError } from './client-error.ts';
import { readClientSettings } from './settings.ts';
import { signRequest } from './sign-request.ts';

const vector = JSON.parse(readFileSync(new URL('../../docs/test-vector.json', import.meta.url), 'utf8'));

function settingsFor(url: string) {
  return readClientSettings({
    PARAPET_URL: url,
    PARAPET_TOKEN: 'svc_live_test',
    PARAPET_TOKEN_ID: vector.token_id,
    PARAPET_SIGNING_KEY: vector.signing_key,
  });
}

/** The 32-byte Ed25519 public key, in the SPKI format that node:crypto requires. */
const publicKey = createPublicKey({
  key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(vector.public_key, 'hex')]),
  format: 'der',
  type: 'spki',
});

describe('signRequest', () => {
  it.each(vector.requests as Record<string, string>[])(
    'makes the published signature of $method $path',
    request => {
      const { method, path, body, timestamp, nonce } = request as Record<string, string>;
      const settings = settingsFor('https://parapet.example.org');
      const signed = signRequest(settings, method!, path!, body === '' ? undefined : body, {
        timestamp: timestamp!,
        nonce: nonce!,
      });
      expect(signed.canonicalMessage).toBe(request.canonical_message);
      expect(signed.headers['x-service-signature']).toBe(request.signature);
      expect(signed.url).toBe(`https://parapet.example.org${path}`);
    },
  );

  it('signs the path without what PARAPET_URL carries, and as it is sent', () => {
    const signed = signRequest(
      settingsFor('https://example.org/parapet/'),
      'GET',
      '/api/v1/a/../findings?x=ü',
    );
    expect(signed.url).toBe('https://example.org/parapet/api/v1/findings?x=%C3%BC');
    expect(signed.target).toBe('/api/v1/findings?x=%C3%BC');
    expect(signed.canonicalMessage).toContain('|GET|/api/v1/findings|');
    const signature = Buffer.from(signed.headers['x-service-signature']!, 'hex');
    expect(verify(null, Buffer.from(signed.canonicalMessage), publicKey, signature)).toBe(true);
  });

  it('never uses a nonce twice', () => {
    const nonces = Array.from(
      { length: 100 },
      () => signRequest(settingsFor('http://x'), 'GET', '/api/v1/scans').headers['x-service-nonce'],
    );
    expect(new Set(nonces).size).toBe(100);
  });

  it('names its headers as the operator has branded them', () => {
    const settings = { ...settingsFor('http://x'), brand: 'acme' };
    expect(Object.keys(signRequest(settings, 'GET', '/api/v1/scans').headers)).toEqual([
      'authorization',
      'content-type',
      'x-acme-timestamp',
      'x-acme-nonce',
      'x-acme-token-id',
      'x-acme-signature',
    ]);
  });

  it.each([
    ['GET', '/healthz', undefined],
    ['GET', 'api/v1/findings', undefined],
    ['GET', '/api/v1/../../etc', undefined],
    ['GET', '/api/v1/findings#open', undefined],
    ['GET', '//other.example/api/v1/findings', undefined],
    ['GET', '/api/v1/findings', '{}'],
  ])('refuses %s %s with body %s', (method, target, body) => {
    expect(() => signRequest(settingsFor('http://x'), method, target, body)).toThrow(ClientError);
  });
});
