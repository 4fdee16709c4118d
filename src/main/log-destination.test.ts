import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { LogDestination } from './log-destination.ts';

/** A named pipe with non-blocking open and read. */
function makePipe() {
  const folder = mkdtempSync(join(tmpdir(), 'log-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'log');
  execFileSync('mkfifo', [path]);
  const open = (mode: number) => openSync(path, mode | constants.O_NONBLOCK);
  const read = (fd: number) => {
    const chunk = Buffer.alloc(65_536);
    try {
      return chunk.toString('utf8', 0, readSync(fd, chunk));
    } catch {
      return '';
    }
  };
  return { open, read };
}

const droppedIn = (text: string) =>
  [...text.matchAll(/"lines":(\d+),"msg":"log\.dropped"/g)].reduce(
    (sum, [, lines]) => sum + Number(lines),
    0,
  );

it('drops lines beyond its limit, and logs their number', async () => {
  const { open, read } = makePipe();
  const fd = open(constants.O_RDWR);
  onTestFinished(() => closeSync(fd));
  const log = new LogDestination(fd, { most: 100_000 });
  const lines = 10_000;
  for (let line = 0; line < lines; line++) log.write('{"msg":"request"}\n');
  expect(await log.drained(1)).toBe(false);
  let text = '';
  const kept = () => text.match(/"msg":"request"/g)?.length ?? 0;
  await poll('all lines, or how many are missing', async () => {
    text += read(fd);
    log.write('{"msg":"more"}\n');
    return kept() + droppedIn(text) >= lines || undefined;
  });
  expect(kept()).toBeLessThan(lines);
});

it('resumes once there is a reader again, and logs how many lines were lost', async () => {
  const { open, read } = makePipe();
  const former = open(constants.O_RDONLY);
  const fd = open(constants.O_WRONLY);
  onTestFinished(() => closeSync(fd));
  closeSync(former);
  const log = new LogDestination(fd);
  log.write('{"msg":"lost"}\n');
  expect(await log.drained(50)).toBe(false);
  const reader = open(constants.O_RDONLY);
  onTestFinished(() => closeSync(reader));
  log.write('{"msg":"kept"}\n');
  expect(await log.drained(10_000)).toBe(true);
  const text = read(reader);
  expect(droppedIn(text)).toBe(1);
  expect(text).toMatch(/^\n\{.*\}\n\{"msg":"kept"\}\n$/);
});

it('does not mix lines with those of other processes in a full pipe, and cuts long ones', async () => {
  const { open, read } = makePipe();
  const fds = [open(constants.O_RDWR), open(constants.O_RDWR)];
  onTestFinished(() => fds.forEach(closeSync));
  const logs = fds.map(fd => new LogDestination(fd, { isShared: true }));
  const lines = 3_000;
  for (let line = 0; line < lines; line++) {
    for (const [of, log] of logs.entries()) {
      const text = 'x'.repeat(line % 100 === 0 ? 10_000 : line % 700);
      log.write(`${JSON.stringify({ of, msg: 'line', text })}\n`);
    }
  }
  let text = '';
  await poll('all lines', () => {
    text += read(fds[0]!);
    return text.split('\n').length > lines * 2 || undefined;
  });
  const entries = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect([0, 1].map(of => entries.filter(line => line.of === of).length)).toEqual([lines, lines]);
  expect(entries.filter(line => line.cut).length).toBe(2 * (lines / 100));
});
