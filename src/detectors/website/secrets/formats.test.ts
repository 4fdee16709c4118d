import { describe, expect, it } from 'vitest';
import { findSecrets, secretRules } from './find-secrets.ts';
import { sampleOf } from './planted/sample.ts';
import { planted } from './planted.ts';
import { partsOf } from './shape.ts';

/** Near-misses of every format: what documentation, templates and other identifiers look like. */

/** The secret that belongs to the ID of a key may be found by its name. */
const kindsIn = (text: string) =>
  findSecrets(text)
    .rules.map(({ kind }) => kind)
    .filter(kind => kind !== 'named-secret');

const rules = secretRules.flatMap(rule => {
  const { shape } = rule;
  if (shape === undefined) return [];
  // Checksums of made-up samples are wrong.
  const { secret, text } = planted[rule.kind]!;
  const isChecked = secret !== sampleOf(firstShape(rule.kind), `${rule.kind} sample`);
  return [{ rule, shape, isChecked, secret, text }];
});

function firstShape(kind: string): string {
  return secretRules.find(rule => rule.kind === kind && rule.shape !== undefined)!.shape!;
}

it('has many formats', () => {
  expect(rules.length).toBeGreaterThan(300);
  expect(new Set(secretRules.map(({ kind }) => kind)).size).toBeGreaterThan(300);
});

describe.each(rules.map(each => [`${each.rule.kind}: ${each.shape}`, each] as const))('%s', (_, each) => {
  const { rule, shape, isChecked, secret, text } = each;
  const inContext = (value: string) => text.replaceAll(secret, () => value);

  it('finds made-up samples', () => {
    if (isChecked) return expect(kindsIn(text)).toContain(rule.kind);
    for (const seed of ['one', 'two', 'three'])
      expect(kindsIn(inContext(sampleOf(shape, `${rule.kind} ${seed}`)))).not.toEqual([]);
  });

  it('finds no placeholders', () => {
    for (const letter of ['x', 'X', 'a', '0', 'A'])
      expect(kindsIn(inContext(filled(shape, () => letter)))).toEqual([]);
    expect(kindsIn(inContext(filled(shape, at => '1234567890abcdef'[at % 16]!)))).toEqual([]);
    expect(kindsIn(inContext(filled(shape, at => 'YOUR_SECRET_KEY_HERE_'[at % 21]!)))).toEqual([]);
  });

  it('finds no longer or shorter texts', () => {
    const last = partsOf(shape).at(-1)!;
    if (!('set' in last) || last.least !== last.most || last.least < 16) return;
    const sample = sampleOf(shape, 'length');
    expect(kindsIn(inContext(sample.slice(0, -3)))).not.toContain(rule.kind);
    expect(kindsIn(inContext(`${sample}0a1`))).not.toContain(rule.kind);
  });

  it('finds no part of a word', () => {
    if (rule.within || rule.label) return;
    expect(kindsIn(inContext(`z${secret}`))).not.toContain(rule.kind);
  });
});

/** A text of the notation with other characters than random ones. */
function filled(shape: string, character: (at: number) => string): string {
  return partsOf(shape)
    .map(part => {
      if ('text' in part) return part.text;
      if ('texts' in part) return part.texts[0]!;
      return Array.from({ length: part.least }, (_, at) => character(at)).join('');
    })
    .join('');
}

it.each([
  'github-token',
  'npm-token',
  'gitlab-token',
  'grafana-token',
  'age-key',
  'nostr-key',
  'parapet-token',
])('finds no %s with a wrong checksum', kind => {
  const { text, secret } = planted[kind]!;
  const at = secret.length - 5;
  const other = secret[at]!.toLowerCase() === '2' ? '3' : '2';
  const wrong = secret.slice(0, at) + other + secret.slice(at + 1);
  expect(kindsIn(text)).toEqual([kind]);
  expect(kindsIn(text.replaceAll(secret, () => wrong))).toEqual([]);
});
