import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { assertSafeNode } from './node-release.ts';

it.each(['v20.20.2', 'v20.21.0', 'v22.22.2', 'v24.14.1', 'v24.15.0', 'v25.8.2', 'v26.0.0', process.version])(
  'accepts %s',
  release => {
    expect(() => assertSafeNode(release)).not.toThrow();
  },
);

it.each([
  'v18.20.8',
  'v20.19.0',
  'v20.20.1',
  'v21.7.3',
  'v22.22.1',
  'v23.11.1',
  'v24.14.0',
  'v24.9.0',
  'v25.8.1',
])('refuses %s', release => {
  expect(() => assertSafeNode(release)).toThrow(
    /^Node\.js [\d.]+ has known vulnerabilities.*20\.20\.2, 22\.22\.2, 24\.14\.1/,
  );
});

it('matches the engines of package.json', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(engines.node).toBe('^20.20.2 || ^22.22.2 || ^24.14.1 || >=25.8.2');
});
