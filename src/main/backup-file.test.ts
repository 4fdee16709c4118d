import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { writeWhole } from './backup-file.ts';

it('keeps the file of the first of two that write to one path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-file-'));
  try {
    const path = join(folder, 'export.tar.gz');
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
  } finally {
    await rm(folder, { recursive: true });
  }
});
