import { expect, it } from 'vitest';
import { formatToken } from '../domain/bearer-token.ts';
import { readSignedHeaders } from './signed-headers.ts';

const token = formatToken('dashboard', new Uint8Array(32).fill(7));
const good: Readonly<Record<string, string>> = {
  authorization: `Bearer ${token}`,
  'x-acme-timestamp': '1700000000',
  'x-acme-nonce': 'a-nonce.of_this~test',
  'x-acme-token-id': '0123abcd-0000-4000-8000-000000000000',
  'x-acme-signature': 'ab'.repeat(64),
};

const read = (changes: Readonly<Record<string, string | undefined>> = {}, more: readonly string[] = []) => {
  const headers = Object.entries({ ...good, ...changes });
  const raw = headers.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return readSignedHeaders([...raw, ...more], 'x-acme-');
};

it('reads signed headers, with names in any case', () => {
  const expected = {
    token,
    timestamp: '1700000000',
    nonce: 'a-nonce.of_this~test',
    tokenId: '0123abcd-0000-4000-8000-000000000000',
    signature: Buffer.alloc(64, 0xab),
    hasMediaType: false,
  };
  expect(read()).toEqual(expected);
  expect(read({}, ['Content-Type', 'application/json'])).toEqual({ ...expected, hasMediaType: true });
  expect(read({ 'x-acme-schema': '2' })).toEqual(expected);
  const upper = Object.entries(good).flatMap(([name, value]) => [name.toUpperCase(), value]);
  expect(readSignedHeaders(upper, 'x-acme-')).toEqual(expected);
});

it('ignores other headers, also if they are repeated', () => {
  expect(read({}, ['accept', 'a', 'accept', 'b', 'x-other-nonce', 'a', 'x-other-nonce', 'b'])).toHaveProperty(
    'signature',
  );
});

it('ignores a name without a value', () => {
  expect(read({}, ['authorization'])).toHaveProperty('signature');
});

it.each([...Object.keys(good), 'content-type', 'x-acme-schema', 'x-acme-unknown'])(
  'refuses %s twice',
  name => {
    const value = good[name] ?? { 'content-type': 'application/json', 'x-acme-schema': '2' }[name] ?? 'x';
    expect(read({ [name]: value })).toHaveProperty('signature');
    const header = name === 'x-acme-unknown' ? 'x-acme-*' : name;
    expect(read({ [name]: value }, [name.toUpperCase(), value])).toEqual({
      header,
      claimedKey: expect.anything(),
    });
  },
);

it.each(Object.keys(good))('refuses a request without %s', name => {
  const claimedKey = name === 'x-acme-token-id' ? undefined : good['x-acme-token-id'];
  expect(read({ [name]: undefined })).toEqual({ header: name, claimedKey });
});

it('names the key that a refused request claims, in lower case, and only if it has the form of one', () => {
  const claimedKey = '0123abcd-0000-4000-8000-00000000000f';
  const key = { 'x-acme-token-id': claimedKey.toUpperCase() };
  expect(read({ ...key, 'x-acme-nonce': 'short' })).toEqual({ header: 'x-acme-nonce', claimedKey });
  expect(read({ 'x-acme-token-id': '<script>', 'x-acme-nonce': 'short' })).toEqual({
    header: 'x-acme-nonce',
    claimedKey: undefined,
  });
});

it('names no header that a client makes up', () => {
  const invented = 'x-acme-x-acme-nonce';
  expect(read({}, [invented, '1', invented, '2'])).toHaveProperty('header', 'x-acme-*');
});

it.each([
  ['authorization', `bearer ${token}`],
  ['x-acme-timestamp', '0'],
  ['x-acme-timestamp', '9'.repeat(15)],
  ['x-acme-nonce', 'a'.repeat(8)],
  ['x-acme-nonce', 'Z9'.repeat(64)],
  ['x-acme-token-id', '0123ABCD-0000-4000-8000-00000000000F'],
  ['content-type', 'application/json'],
  ['content-type', 'Application/JSON; charset=utf-8'],
  ['content-type', 'application/json ;charset = "utf-8" '],
])('accepts %s: %s', (name, value) => {
  expect(read({ [name]: value })).toHaveProperty('signature');
});

it.each([
  ['authorization', token],
  ['authorization', `Basic ${token}`],
  ['authorization', `Bearer  ${token}`],
  ['authorization', `x Bearer ${token}`],
  ['authorization', `Bearer ${token} x`],
  ['authorization', `Bearer ${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
  ['x-acme-timestamp', ''],
  ['x-acme-timestamp', '1'.repeat(16)],
  ['x-acme-timestamp', '-1'],
  ['x-acme-timestamp', '1.5'],
  ['x-acme-nonce', 'a'.repeat(7)],
  ['x-acme-nonce', 'a'.repeat(129)],
  ['x-acme-nonce', 'has a space'],
  ['x-acme-nonce', 'a-nonce-with|'],
  ['x-acme-nonce', '|a-nonce-with'],
  ['x-acme-token-id', 'x0123abcd-0000-4000-8000-000000000000'],
  ['x-acme-token-id', '0123abcd-0000-4000-8000-0000000000000'],
  ['x-acme-token-id', '0123abcd-0000-4000-000000000000'],
  ['x-acme-token-id', '0123abcd-0000-4000-8000-0000-000000000000'],
  ['x-acme-token-id', '0123abcg-0000-4000-8000-000000000000'],
  ['x-acme-signature', 'ab'.repeat(63)],
  ['x-acme-signature', `${'ab'.repeat(64)}a`],
  ['x-acme-signature', `a${'ab'.repeat(64)}`],
  ['x-acme-signature', 'AB'.repeat(64)],
  ['x-acme-schema', '1'],
  ['content-type', ''],
  ['content-type', 'text/plain'],
  ['content-type', 'application/jsonx'],
  ['content-type', 'xapplication/json'],
  ['content-type', 'application/json; boundary=x'],
  ['content-type', 'application/json; charset="utf-8'],
  ['content-type', 'application/json; charset='],
  ['content-type', 'application/json; charset=utf-8; x'],
])('refuses %s: %j', (name, value) => {
  expect(read({ [name]: value })).toHaveProperty('header', name);
});
