import { expect, it } from 'vitest';
import { SarifRules, sarifText } from './sarif.ts';

it.each([
  ['[Sign in again](https://evil.example)', String.raw`\[Sign in again\](https://evil.example)`],
  [String.raw`\[a\](1)`, String.raw`\\\[a\\\](1)`],
  [String.raw`a[b\\]c`, String.raw`a\[b\\\\\]c`],
  [String.raw`C:\files\[x]`, String.raw`C:\files\\\[x\]`],
  ['[[a]](b)', String.raw`\[\[a\]\](b)`],
  ['nothing of it: (a) `b` \\n', 'nothing of it: (a) `b` \\n'],
])('lets %s be no link', (text, escaped) => {
  expect(sarifText(text)).toEqual({ text: escaped });
});

it('has a title and a fix that a scanned server chose be no link in a rule', () => {
  const link = '[fix](https://evil.example)';
  const rules = new SarifRules();
  rules.indexOf({ id: '1', category: 'tls.weak', severity: 'high', title: link, remediation: link });
  const [rule] = rules.list(() => undefined, 'https://p.example/docs/checks');
  expect(rule).toMatchObject({
    shortDescription: { text: String.raw`\[fix\](https://evil.example)` },
    help: { text: String.raw`\[fix\](https://evil.example)` },
  });
});
