import { expect, it } from 'vitest';
import { Replies } from './replies.ts';

it('are the same in pieces of every size', () => {
  const answer = Buffer.from('*3\r\n$2\r\né\r\n:-7\r\n*2\r\n$-1\r\n+OK\r\n-ERR no\r\n');
  for (let size = 1; size <= answer.length; size++) {
    const replies = new Replies(2);
    let found: unknown;
    for (let end = size; found === undefined; end += size) found = replies.read(answer.subarray(0, end));
    expect(found).toEqual([['é', -7, [null, 'OK']], { code: 'ERR', text: 'ERR no' }]);
  }
});

it('are refused as soon as a text of a gigabyte is announced', () => {
  expect(() => new Replies(1).read(Buffer.from('$1073741824\r\n'))).toThrow(
    expect.objectContaining({ errorCode: 'protocol_invalid' }),
  );
});
