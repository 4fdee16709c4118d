import { expect, it } from 'vitest';
import { AnchorTable } from './anchor-table.ts';

/** All visits, as `position:values`. */
function visits(
  table: AnchorTable<string>,
  text: string,
  to: (at: number) => number | null = () => null,
): string[] {
  const all: string[] = [];
  table.search(text, (at, values) => {
    all.push(`${at}:${values.join()}`);
    return to(at);
  });
  return all;
}

function tableOf(...anchors: readonly (readonly [string, boolean?])[]): AnchorTable<string> {
  const table = new AnchorTable<string>();
  for (const [anchor, anyCase] of anchors) table.add(anchor, anchor, anyCase);
  return table;
}

it('finds texts of every length anywhere, the longest first', () => {
  const table = tableOf(['ab'], ['abc'], ['abcdef'], ['://']);
  expect(visits(table, 'ab')).toEqual(['0:ab']);
  expect(visits(table, 'xabcdefx://ab')).toEqual(['1:abcdef', '1:abc', '1:ab', '8:://', '11:ab']);
  expect(visits(table, 'abab')).toEqual(['0:ab', '2:ab']);
  for (const text of ['', 'a', 'aab'.slice(0, 2), 'ba', 'ABC', '\u0161b'])
    expect(visits(table, text)).toEqual([]);
});

it('finds texts in any case where it is asked to', () => {
  const table = tableOf(['secret', true], ['api_key', true], ['AKIA']);
  expect(visits(table, 'SECRET Secret sECRet API_KEY Api_Key akia AKIA')).toEqual([
    '0:secret',
    '7:secret',
    '14:secret',
    '21:api_key',
    '29:api_key',
    '42:AKIA',
  ]);
  expect(visits(table, '3ecret \u0073ecreT api\u007fkey')).toEqual(['7:secret']);
});

it('continues from the returned position, and calls the values of one text together', () => {
  const table = tableOf(['aa']);
  table.add('aa', 'again');
  expect(visits(table, 'aaaa')).toEqual(['0:aa,again', '1:aa,again', '2:aa,again']);
  expect(visits(table, 'aaaaa', at => at + 2)).toEqual(['0:aa,again', '2:aa,again']);
  expect(visits(table, 'aaaa', at => at + 100)).toEqual(['0:aa,again']);
});

it('finds each of a thousand texts', () => {
  const all = Array.from({ length: 1_000 }, (_, at) => `${at.toString(36).padStart(3, '_')}-${at}`);
  const table = tableOf(...all.map(anchor => [anchor] as const));
  for (const anchor of all) expect(visits(table, `"${anchor}"`)).toContain(`1:${anchor}`);
});

it('finds only the texts of its own table, in any order of searches', () => {
  const [first, second] = [tableOf(['shared'], ['first']), tableOf(['shared'], ['second', true])];
  const text = 'first SECOND shared';
  for (let time = 0; time < 2; time++) {
    expect(visits(first, text)).toEqual(['0:first', '13:shared']);
    expect(visits(second, text)).toEqual(['6:second', '13:shared']);
  }
  first.add('SECOND', 'added');
  expect(visits(first, text)).toEqual(['0:first', '6:added', '13:shared']);
});

it('finds the same in a text with more hits than are kept', () => {
  const table = tableOf(['zq']);
  const text = 'zq'.repeat(250_000);
  const count = () => visits(table, text, at => at + 4).length;
  expect([count(), count()]).toEqual([125_000, 125_000]);
});
