import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { canonicalMessage, emptyBodyDigest } from './canonical-message.ts';

it('has nine values in a fixed order', () => {
  const message = canonicalMessage({
    method: 'POST',
    pathname: '/api/v1/scans',
    timestamp: '1700000000',
    nonce: 'a-nonce-of-this-test',
    bodyDigest: 'd'.repeat(64),
    tokenId: '00000000-0000-4000-8000-000000000000',
  });
  expect(message.split('|')).toEqual([
    'v2',
    'POST',
    '/api/v1/scans',
    '1700000000',
    'a-nonce-of-this-test',
    'application/json',
    'd'.repeat(64),
    '00000000-0000-4000-8000-000000000000',
    '2',
  ]);
});

it('uses the digest of zero bytes for an empty body', () => {
  expect(emptyBodyDigest).toBe(createHash('sha256').digest('hex'));
});
