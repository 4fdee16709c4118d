import { execFileSync, spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { canTest } from '../../test/support/can-test.ts';
import { csvLine } from './csv.ts';

it('quotes all text, and leaves numbers and what is empty as they are', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, -1.5, true])).toBe(
    '"plain","a,b","say ""hi""","two\nlines",,-1.5,true\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠A1', '−1', '﹣1'])(
  'makes no formula of %j',
  text => {
    expect(csvLine([text])).toBe(`"'${text}"\r\n`);
  },
);

it('leaves ordinary text as it is', () => {
  for (const text of ['a=b', 'max-age=0; path=/', '2026-01-01', 'a - b', 'x@y.example', 'a\nb']) {
    expect(csvLine([text])).toBe(`"${text}"\r\n`);
  }
});

const hostile = [
  '=1+1',
  ' =1+1',
  '\t=1',
  '\r=1',
  '\n=1',
  '\u0000=1',
  '\u200b=1',
  '\ufeff@x',
  '"=1"',
  'x;=1',
  'x; =1',
  'x;"=1"',
  'x"";""=1',
  'x\n=1',
  'x\r\n-1',
  'x\t=1',
  'x;;;+1',
  'x;',
  '=1',
  '";=1;"',
  '","=1',
  '\u0000\u0000;\u0000＝1',
];

const hasPython = canTest(
  spawnSync('python3', ['--version']).status === 0,
  'python3 is not installed; how a CSV reader reads hostile fields is not tested',
);

it.runIf(hasPython).each([',', ';', '\t'])(
  'has no cell that begins with a formula for a reader that separates by %j',
  delimiter => {
    const read = `import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8')
print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), delimiter=sys.argv[1]))))`;
    const lines = hostile.flatMap(one => [
      csvLine([one, 'second', one]),
      csvLine(['first', one, 7]),
      ...hostile.map(other => csvLine([null, one, other])),
    ]);
    const rows = JSON.parse(
      execFileSync('python3', ['-c', read, delimiter], { input: lines.join(''), encoding: 'utf8' }),
    ) as string[][];
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u);
    if (delimiter === ',') {
      expect(rows).toHaveLength(lines.length);
      expect(new Set(rows.map(row => row.length))).toEqual(new Set([3]));
    }
  },
);

it('takes time in proportion to the text', () => {
  const began = performance.now();
  csvLine(['\n'.repeat(2_000_000), ';"'.repeat(1_000_000)]);
  expect(performance.now() - began).toBeLessThan(5_000);
});
