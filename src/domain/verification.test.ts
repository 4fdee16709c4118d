import { expect, it } from 'vitest';
import { describeVerification, type VerificationDepth } from './verification.ts';

const source = {
  kind: 'website',
  host: 'shop.example',
  connection_mode: 'direct',
  status: 'connected',
  scan_authorized_at: '2026-01-01T00:00:00.000+00:00',
  shield_on: true,
} as const;
const safe = { depth: 'safe', proven: false } as const;
const verify = (changes: object, check = 'website.tls.expired', needed: VerificationDepth = safe) =>
  describeVerification({ ...source, ...changes }, check, false, needed);

it('verifies what a scan decides', () => {
  expect(verify({})).toEqual({
    possible: true,
    text: expect.stringMatching(/^Sends a few requests to shop/),
  });
});

it.each([
  ['a disconnected source', { status: 'disconnected' }, /disconnected/],
  ['a source without authorized scans', { scan_authorized_at: null }, /^Authorize/],
  ['a source that a probe assesses', { connection_mode: 'probe' }, /^A probe assesses this source/],
  ['a database without privileged connections', { kind: 'postgres' }, /PRIVILEGED/],
])('cannot verify a finding of %s', (_, changes, text) => {
  expect(verify(changes)).toEqual({ possible: false, text: expect.stringMatching(text) });
});

it.each([
  ['shield.detects_only', /^Shield assesses this check every 3 minutes/],
  ['probe.silent', /^This check is about the reports of the probe/],
])('says who decides %s, which no scan does', (check, text) => {
  const expected = { possible: false, text: expect.stringMatching(text) };
  for (const connection_mode of ['direct', 'probe'])
    for (const scan_authorized_at of [null, source.scan_authorized_at])
      expect(verify({ connection_mode, scan_authorized_at }, check)).toEqual(expected);
  expect(verify({ status: 'disconnected' }, check).text).toContain('disconnected');
});

it('says that checks of Shield are not assessed while it is off', () => {
  const { text } = verify({ shield_on: false }, 'shield.detects_only');
  expect(text).toMatch(/^Not assessed since Shield was turned off/);
  expect(verify({ shield_on: false })).toMatchObject({ possible: true });
});

it('verifies what only full scans assess with a current proof of the domain', () => {
  const check = 'reflection.parameter';
  expect(verify({}, check, { depth: 'full', proven: true })).toEqual({
    possible: true,
    text: expect.stringMatching(
      /^Sends what a full scan sends for this check to shop\.example, including test input\./,
    ),
  });
  expect(verify({}, check, { depth: 'full', proven: false })).toEqual({
    possible: false,
    needs_proof: true,
    text: 'Only full scans assess this. They require a current proof of domain.',
  });
  expect(verify({}, check, { depth: 'safe', proven: false })).not.toHaveProperty('needs_proof');
  expect(verify({ scan_authorized_at: null }, check, { depth: 'full', proven: false }).text).toMatch(
    /^Authorize/,
  );
});
