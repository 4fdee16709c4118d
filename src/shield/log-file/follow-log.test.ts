import {
  appendFile,
  copyFile,
  mkdtemp,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { poll } from '../../../test/support/poll.ts';
import { followLog } from './follow-log.ts';
import type { LogPosition } from './position.ts';
import { maxLine } from './split-lines.ts';

let folder: string;
let log: string;
const running: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'follow-log-'));
  log = join(folder, 'audit.log');
});
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
  await rm(folder, { recursive: true, force: true });
});

const quick = { pollMilliseconds: 5, lingerMilliseconds: 300, goneMilliseconds: 50 };

/** Follows the log until it is stopped, which returns the position. */
function following(position: LogPosition | null = null) {
  const stopping = new AbortController();
  const read = { lines: [] as string[], tooLong: 0, position, idle: 0, failures: 0, isMissing: false };
  const onUnreadable = () => {
    read.failures += 1;
  };
  const done = (async () => {
    for await (const piece of followLog(log, { ...quick, position, onUnreadable, signal: stopping.signal })) {
      read.lines.push(...piece.lines);
      read.tooLong += piece.tooLong;
      read.position = piece.position;
      read.isMissing = piece.isMissing;
      read.idle += 1;
    }
  })();
  const stop = async () => {
    stopping.abort();
    await done;
    return read.position;
  };
  running.push(stop);
  return {
    read,
    stop,
    has: (...lines: readonly string[]) =>
      expect.poll(() => read.lines, { interval: 10, timeout: 10_000 }).toEqual(lines),
    rests: async () => {
      const { idle } = read;
      await poll('two turns', () => read.idle > idle + 2);
    },
  };
}

it('waits for the file, and reads lines as they are completed', async () => {
  const { read, has, rests } = following();
  await rests();
  expect(read.position).toBe(null);
  await writeFile(log, 'one\ntw');
  await has('one');
  await appendFile(log, 'o\n\nthree');
  await has('one', 'two', '');
  expect(read.position?.offset).toBe('one\ntwo\n\n'.length);
});

it('continues at its position after a restart, with the line that had begun', async () => {
  await writeFile(log, 'one\ntwo\nthr');
  const first = following();
  await first.has('one', 'two');
  const position = await first.stop();
  await appendFile(log, 'ee\n');
  await following(position).has('three');
});

it('reads the rest of a renamed file before the new one', async () => {
  await writeFile(log, 'one\n');
  const { has } = following();
  await has('one');
  await rename(log, `${log}.1`);
  await appendFile(`${log}.1`, 'two\n');
  await has('one', 'two');
  await writeFile(log, 'four\n');
  // The server has not opened the new file yet.
  await appendFile(`${log}.1`, 'three');
  await has('one', 'two', 'three', 'four');
});

it('misses a log that is gone for longer than a rotation takes, and reads the next one', async () => {
  await writeFile(log, 'one\n');
  const { read, has } = following();
  await has('one');
  expect(read.isMissing).toBe(false);
  await rename(log, `${log}.1`);
  await poll('the missing log', () => read.isMissing);
  // The server still writes to it.
  await appendFile(`${log}.1`, 'two\n');
  await has('one', 'two');
  await writeFile(log, 'three\n');
  await has('one', 'two', 'three');
  await poll('the next log', () => !read.isMissing);
});

it('does not miss a log during a rotation', async () => {
  await writeFile(log, 'one\n');
  const stopping = new AbortController();
  running.push(async () => stopping.abort());
  const missing: boolean[] = [];
  const options = { ...quick, goneMilliseconds: 600_000, position: null, signal: stopping.signal };
  const done = (async () => {
    for await (const { isMissing } of followLog(log, options)) missing.push(isMissing);
  })();
  await poll('the log', () => missing.length > 2);
  await rename(log, `${log}.1`);
  const { length } = missing;
  await poll('some turns without it', () => missing.length > length + 3);
  stopping.abort();
  await done;
  expect(missing).not.toContain(true);
});

it('finds a file that was renamed while it did not run', async () => {
  await writeFile(log, 'one\n');
  const first = following();
  await first.has('one');
  const position = await first.stop();
  await appendFile(log, 'two\n');
  await rename(log, `${log}-20261126`);
  await writeFile(log, 'three\n');
  await following(position).has('two', 'three');
});

it('reads what it had not read of a truncated file from the copy', async () => {
  await writeFile(log, 'one\n');
  const first = following();
  await first.has('one');
  const position = await first.stop();
  await appendFile(log, 'two\n');
  await copyFile(log, `${log}.1`);
  await truncate(log);
  // Already longer than before.
  await appendFile(log, 'three, and some more\n');
  const second = following(position);
  await second.has('two', 'three, and some more');
  await copyFile(log, `${log}.1`);
  await truncate(log);
  await second.rests();
  await appendFile(log, 'four\n');
  await second.has('two', 'three, and some more', 'four');
});

it('notices another file with the same inode', async () => {
  await writeFile(log, 'one\ntwo\n');
  const first = following();
  await first.has('one', 'two');
  const position = await first.stop();
  // Writes into the same inode.
  await writeFile(log, 'other\nlines\nthan before\n');
  await following(position).has('other', 'lines', 'than before');
});

it('continues at its position when the log can be read again', async () => {
  await writeFile(log, 'one\n');
  const first = following();
  await first.has('one');
  const position = await first.stop();
  await rename(log, join(folder, 'other'));
  // Also for root, who may read everything.
  await symlink(log, log);
  const second = following(position);
  await second.rests();
  expect(second.read).toMatchObject({ lines: [], position, failures: 1 });
  await appendFile(join(folder, 'other'), 'two\n');
  await rename(join(folder, 'other'), log);
  await second.has('two');
});

it('reads no copy again while the log cannot be read: it may be older', async () => {
  await writeFile(log, 'one\n');
  const first = following();
  await first.has('one');
  const position = await first.stop();
  await copyFile(log, `${log}.1`);
  await appendFile(`${log}.1`, 'of the copy\n');
  await appendFile(log, 'two\n');
  await rename(log, join(folder, 'other'));
  await symlink(log, log);
  const second = following(position);
  await second.rests();
  expect(second.read).toMatchObject({ lines: [], position, failures: 1 });
  await rename(join(folder, 'other'), log);
  await second.has('two');
});

it('waits for a new log that cannot be read, after the rest of the renamed one', async () => {
  await writeFile(log, 'one\n');
  const { read, has, rests } = following();
  await has('one');
  await rename(log, `${log}.1`);
  await appendFile(`${log}.1`, 'two');
  // Opens, and fails to read.
  await symlink('/proc/self/mem', log);
  await has('one', 'two');
  await rests();
  expect(read).toMatchObject({ position: { offset: 'one\ntwo'.length }, failures: 1 });
  await rm(log);
  await writeFile(log, 'three\n');
  await has('one', 'two', 'three');
  expect(read.failures).toBe(1);
});

it('skips and counts lines over the bound, and reads junk as lines', async () => {
  const long = Buffer.alloc(3 * maxLine, 'a');
  const junk = Buffer.from([0xff, 0x00, 0xfe, 0x0a]);
  await writeFile(
    log,
    Buffer.concat([Buffer.from('one\n'), long, Buffer.from('\n'), junk, Buffer.from('two\n')]),
  );
  const { read, has } = following();
  await has('one', '\ufffd\0\ufffd', 'two');
  expect(read.tooLong).toBe(1);
  expect(read.position?.offset).toBe((await readFile(log)).length);
});

it('reads on only when the consumer is ready', async () => {
  await writeFile(log, 'a line of text\n'.repeat(100_000));
  const pieces = followLog(log, { ...quick, position: null, signal: AbortSignal.timeout(60_000) });
  const { value: piece } = await pieces.next();
  expect(piece?.lines.length).toBeLessThan(10_000);
  expect(piece?.lag).toBeGreaterThan(1_000_000);
  await pieces.return();
});
