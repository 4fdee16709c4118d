import { expect, it } from 'vitest';
import { captureWith, response, seen } from '../hardened-capture.ts';
import { secretsDetector } from './detector.ts';
import { findSecrets, secretRules } from './find-secrets.ts';
import { planted } from './planted.ts';

const kinds = [...new Set(secretRules.map(({ kind }) => kind))];

it('has an example of every kind', () => {
  expect(Object.keys(planted).sort()).toEqual([...kinds].sort());
});

it.each(Object.entries(planted))('finds %s anywhere in a text, and nothing else', (kind, { text }) => {
  const found = (body: string) => findSecrets(body).rules.map(rule => rule.kind);
  expect(found(text)).toEqual([kind]);
  expect(found(`${'x=1;'.repeat(50_000)}\n${text}\n${'y=2;'.repeat(50_000)}`)).toEqual([kind]);
  expect(found(JSON.stringify({ nested: text }))).toEqual([kind]);
  expect(found(`\u{1f512} ${text}`)).toEqual([kind]);
});

it.each(Object.entries(planted))('reveals no part of the value of %s', (kind, { text, secret }) => {
  const url = 'https://a.example/app.js';
  const scripts = seen([{ url, response: seen(response(url, { body: text })) }]);
  const { observations } = secretsDetector.detect(captureWith({ scripts }));
  expect(observations.map(({ locator }) => locator)).toEqual([`${kind} ${url}`]);
  const told = JSON.stringify(observations);
  // The first characters only identify the kind.
  for (let at = 10; at + 8 <= secret.length; at++) expect(told).not.toContain(secret.slice(at, at + 8));
});

it('finds all kinds next to each other', () => {
  const all = Object.values(planted)
    .map(({ text }) => text)
    .join(`\n${'z'.repeat(700)}\n`);
  expect(
    findSecrets(all)
      .rules.map(({ kind }) => kind)
      .sort(),
  ).toEqual([...kinds].sort());
});
