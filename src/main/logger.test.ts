import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { boundedDestination, createLogger } from './logger.ts';

it('writes of an error of the database what it is, and nothing of the row', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: line => void lines.push(line) });
  const err = Object.assign(new Error('violates check constraint "positive"'), {
    code: '23514',
    table: 'people',
    constraint: 'positive',
    detail: 'Failing row contains (grace@example.org).',
    where: 'SQL statement "insert into people values (\'grace@example.org\')"',
    internalQuery: "insert into people values ('grace@example.org')",
  });
  logger.error({ err }, 'request failed');
  expect(JSON.parse(lines[0]!).err).toMatchObject({
    message: 'violates check constraint "positive"',
    stack: expect.stringContaining('logger.test.ts'),
    code: '23514',
    table: 'people',
    constraint: 'positive',
  });
  expect(lines.join()).not.toContain('grace');
});

it('drops lines that nobody reads in time, and says how many', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pipe = join(folder, 'log');
  execFileSync('mkfifo', [pipe]);
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const logger = createLogger('info', boundedDestination(fd, 100_000));
  const lines = 10_000;
  for (let line = 0; line < lines; line++) logger.info({ line }, 'request');
  let text = '';
  const read = () => {
    const chunk = Buffer.alloc(65_536);
    try {
      text += chunk.toString('utf8', 0, readSync(fd, chunk));
    } catch {
      // Nothing is there now.
    }
  };
  const told = await poll('the number', async () => {
    read();
    logger.info('more');
    return /"lines":(\d+),"msg":"log\.dropped"/.exec(text)?.[1];
  });
  const kept = text.match(/"msg":"request"/g)!.length;
  expect(kept).toBeLessThan(lines / 2);
  expect(kept + Number(told)).toBeGreaterThanOrEqual(lines);
});
