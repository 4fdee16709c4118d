import fc from 'fast-check';
import Value from 'typebox/value';
import { expect, it } from 'vitest';
import { DocumentedCredential } from '../contract/sources.ts';
import { credentialHeader, type WebsiteCredential } from '../surfaces/website/credential.ts';
import { credentialProblems } from './credential-problems.ts';

const tokens = [..."!#$%&'*+.^_`|~-09azAZ"];
const visible = fc.stringMatching(/^[!-~][ -~]{0,60}[!-~]$/);

const credentials: fc.Arbitrary<WebsiteCredential> = fc.oneof(
  fc.record({
    type: fc.constant('basic' as const),
    username: fc.string({ minLength: 1, maxLength: 256, unit: 'binary' }),
    password: fc.string({ minLength: 1, maxLength: 1024, unit: 'binary' }),
  }),
  fc.record({
    type: fc.constant('header' as const),
    name: fc.oneof(
      fc.string({ minLength: 1, maxLength: 128, unit: fc.constantFrom(...tokens) }),
      fc.constantFrom('Host', 'x'.repeat(128)),
    ),
    value: fc.oneof(visible, fc.constant('v'.repeat(4096))),
  }),
);

it('refuses every credential that the scan of a website would refuse', () => {
  let taken = 0;
  const isTaken = (credential: WebsiteCredential) =>
    Value.Check(DocumentedCredential, { credential }) &&
    credentialProblems('website', credential).length === 0;
  fc.assert(
    fc.property(credentials, credential => {
      if (!isTaken(credential)) return;
      taken += 1;
      credentialHeader(credential);
    }),
    { numRuns: 500, examples: [[{ type: 'header', name: 'x'.repeat(128), value: 'v' }]] },
  );
  expect(taken).toBeGreaterThan(100);
});
