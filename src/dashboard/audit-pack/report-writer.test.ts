import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { superlinearWhenDone } from '../../../test/support/growth.ts';
import { hostileTexts, repeated } from '../../../test/support/hostile-texts.ts';
import { readPdf } from '../../../test/support/pdf-text.ts';
import { ReportTooLong, ReportWriter } from './report-writer.ts';

function written(write: (writer: ReportWriter) => void, footer = 'footer'): Promise<Uint8Array> {
  const writer = new ReportWriter({ title: 'title', footer, madeAt: new Date(0) });
  write(writer);
  return writer.end();
}

const columns = { Wide: 9, Narrow: 1 };

/** Every place of a report that can contain untrusted text. */
const places: Record<string, (text: string) => Promise<Uint8Array>> = {
  'a paragraph': text => written(writer => writer.paragraph(text)),
  'the title': text => written(writer => writer.title(text)),
  'a heading': text => written(writer => writer.heading(1, text)),
  cells: text => written(writer => writer.table(columns, [[text, text.slice(0, text.length / 4)]])),
  footers: text => written(writer => writer.paragraph('one page'), text),
};

it('reads each font once', async () => {
  const read = vi.spyOn(fs, 'readFileSync');
  syncBuiltinESMExports();
  await written(writer => {
    for (const text of ['a', 'b', 'c']) writer.heading(1, text);
    writer.table(columns, [['1', '2']]);
  });
  const fonts = read.mock.calls.map(([file]) => String(file)).filter(file => file.endsWith('.ttf'));
  read.mockRestore();
  syncBuiltinESMExports();
  expect(fonts.map(file => basename(file)).toSorted()).toEqual([
    'DejaVuSansCondensed-Bold.ttf',
    'DejaVuSansCondensed.ttf',
  ]);
});

/** Texts with long alternating parts that `hostileTexts` lacks. */
const composed: Record<string, (length: number) => string> = {
  'marks on marks': length => repeated('W', 60) + repeated('\u0301', length),
  'word joiners': length => repeated('W\u2060', length),
  'spaces that do not break': length => repeated('ab\u00a0', length),
  'spaces in which nothing breaks': length => repeated('( ', length),
  'wide, then narrow': length => repeated('W', length / 2) + repeated('i', length / 2),
  'long words': length => repeated(`${'W'.repeat(300)} ${'i'.repeat(700)} `, length),
  'plain, marks and joiners': length =>
    repeated(`lorem ${'W'.repeat(90)}${'\u0301'.repeat(90)}${'\u200d\u2060'.repeat(45)}-`, length),
  'right to left': length => repeated('مرحبا\u0651\u064e', length),
  'right to left, in turn': length => repeated('abc\u202eשלום', length),
  'emoji, joined': length => repeated('👩🏽\u200d🚀\u200d', length),
  flags: length => repeated('🇫🇷', length),
  'Hangul of many parts': length => repeated('\u1100', length),
  conjuncts: length => repeated('क्\u200d', length),
  'variation selectors': length => repeated('a\ufe0f\u{e0100}', length),
  'soft hyphens': length => repeated('\u00ad', length),
};
/** One place with the others, since all are laid out alike. */
const textsIn = (place: string) => [
  ...Object.entries(composed),
  ...hostileTexts(12)
    .filter((_, index) => place === 'a paragraph' && index % 9 === 0)
    .map(({ name, of }) => [name, of] as const),
];

describe('writes in time linear in the length of a text', () => {
  it.each(Object.entries(places))('as %s', { timeout: 300_000 }, async (place, writeIn) => {
    const slow: string[] = [];
    for (const [name, of] of textsIn(place)) {
      const problem = await superlinearWhenDone(
        share => {
          const text = of(Math.ceil(4_000 * share));
          return () => writeIn(text);
        },
        { within: 1_000, noise: 200 },
      );
      if (problem) slow.push(`${name}: ${problem}`);
      // One failure is enough, and each takes long.
      if (slow.length > 0) break;
    }
    expect(slow).toEqual([]);
  });
});

const wordsOf = async (pdf: Promise<Uint8Array>) => readPdf(Buffer.from(await pdf)).pages[0]!;

it('breaks what has no place to break at the end of a line, and shows all of it', async () => {
  const text = Array.from({ length: 60 }, (_, index) => `${index}.abc`).join('.');
  const words = await wordsOf(written(writer => writer.table(columns, [[`Name ${text}`, 'a']])));
  expect(words.replaceAll('\n', '')).toContain(`Name ${text}`);
  const lines = words.split('\n').filter(line => line.includes('.abc'));
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines.slice(1, -1)) expect(line.length).toBeGreaterThan(70);
});

it('does not change text that has break opportunities', async () => {
  const text =
    'Of a longer text, all lines – with hyphen-ation, (brackets) and "quotes" – are as wide as they can be.';
  const lines = (await wordsOf(written(writer => writer.paragraph(`${text} ${text}`)))).split('\n');
  expect(lines.slice(0, -2).join(' ').replaceAll(/\s+/g, ' ').trim()).toBe(`${text} ${text}`);
});

it('removes invisible characters, and all but a few marks of a character', async () => {
  const text = `a\u0000\u00ad\u200d\u202e\u2060\ufe0f\ufffcb e${'\u0301'.repeat(100)}f`;
  const words = await wordsOf(written(writer => writer.paragraph(text)));
  expect(words.replaceAll('\n', '').normalize('NFD')).toContain(`ab e${'\u0301'.repeat(4)}f`);
});

it('throws if the report exceeds the maximum number of pages', () => {
  const many = (writer: ReportWriter) => {
    for (let time = 0; time < 4; time++) writer.paragraph('a\n'.repeat(40_000));
  };
  expect(() => written(many)).toThrow(ReportTooLong);
});
