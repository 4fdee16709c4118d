import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('quotes what needs it, and leaves the rest as it is', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, -1.5, true])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,-1.5,true\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('makes no formula of %j', text => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`);
});
