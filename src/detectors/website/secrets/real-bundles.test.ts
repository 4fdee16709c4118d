import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findSecrets } from './find-secrets.ts';

/** Packages whose built files and documentation resemble what sites serve. None contains a secret. */
const packages = [
  '@mantine/core',
  '@noble/curves',
  '@redocly/cli',
  '@tabler/icons-react',
  'acorn',
  'axe-core',
  'esbuild',
  'fastify',
  'fontkit',
  'jose',
  'kysely',
  'luxon',
  'openid-client',
  'pdfkit',
  'pg',
  'playwright-core',
  'react-dom',
  'recharts',
  'typescript',
  'undici',
  'vite',
];

const root = new URL('../../../../node_modules/', import.meta.url);
const characters = 3_000_000;

/** The largest files first, which are the bundles. */
function textsOf(name: string): string[] {
  const folder = new URL(`${name}/`, root);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(?:[cm]?js|css|html|md|json)$/.test(file) && !file.includes('node_modules'))
    .map(file => readFileSync(new URL(file, folder), 'utf8'))
    .sort((a, b) => b.length - a.length);
  let left = characters;
  return files.flatMap(text => {
    const part = text.slice(0, left);
    left -= part.length;
    return part === '' ? [] : [part];
  });
}

it.each(packages.filter(name => existsSync(new URL(name, root))))(
  'finds nothing in %s',
  { timeout: 60_000 },
  name => {
    const texts = textsOf(name);
    expect(texts.length).toBeGreaterThan(0);
    const found = texts.map(text => findSecrets(text, { collectedAt: '2026-11-21T12:00:00.000Z' }));
    expect(found.flatMap(({ rules }) => rules.map(({ kind }) => kind))).toEqual([]);
    expect(found.flatMap(({ unread }) => unread)).toEqual([]);
  },
);
