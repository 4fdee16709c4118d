import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NewFile, writeWhole } from './backup-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-file-'));
  path = join(folder, 'export.tar.gz');
});
afterEach(() => rm(folder, { recursive: true }));

it('keeps the file of the first of two that write to one path', async () => {
  const [first, second] = [new PassThrough(), new PassThrough()];
  const writing = writeWhole(path, () => first);
  first.write('first ');
  const other = writeWhole(path, () => second);
  second.write('second');
  first.end('whole');
  await writing;
  second.end();
  await expect(other).rejects.toThrow(`${path} exists already`);
  expect(await readFile(path, 'utf8')).toBe('first whole');
  expect(await readdir(folder)).toEqual(['export.tar.gz']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('writes to no other file that gets its name meanwhile', async () => {
  const other = join(folder, 'other');
  await writeFile(other, 'content of the other');
  const file = await NewFile.create(path);
  const [unfinished] = (await readdir(folder)).filter(name => name.endsWith('.unfinished'));
  await rename(join(folder, unfinished!), join(folder, 'moved'));
  await symlink(other, join(folder, unfinished!));
  await expect(file.write(Readable.from(['secret']))).rejects.toThrow(
    /another process replaced .*unfinished$/,
  );
  expect(await readFile(other, 'utf8')).toBe('content of the other');
  expect(await readdir(folder)).not.toContain('export.tar.gz');
});

it('leaves nothing if the content fails', async () => {
  const content = Readable.from(
    (async function* () {
      yield 'a part';
      throw new Error('failed');
    })(),
  );
  await expect(writeWhole(path, () => content)).rejects.toThrow('failed');
  expect(await readdir(folder)).toEqual([]);
});

it('names the error of the content, not one of the file', async () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  const content = new Readable({ read: () => void content.destroy(lost) });
  await expect(writeWhole(path, () => content)).rejects.toThrow(/^read ECONNRESET$/);
});

it('ends at a signal while the content waits', async () => {
  const stopping = new AbortController();
  const content = new PassThrough();
  const waiting = Readable.from(
    (async function* () {
      yield* content;
    })(),
  );
  content.write('a part');
  setTimeout(() => stopping.abort(), 50);
  const file = await NewFile.create(path);
  await expect(file.write(waiting, stopping.signal)).rejects.toThrow('aborted');
  expect(await readdir(folder)).toEqual([]);
});

it('is not created over a link to nothing', async () => {
  await symlink('/nowhere', path);
  await expect(NewFile.create(path)).rejects.toThrow(`${path} exists already`);
  expect(await readdir(folder)).toEqual(['export.tar.gz']);
});
