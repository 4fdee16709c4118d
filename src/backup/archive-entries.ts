import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import type { ArchivePart } from './archive-writer.ts';
import { notABackup } from './manifest.ts';

/** Parts of 4 MB for more than a terabyte. Their names are in memory, and in the manifest. */
const mostParts = 400_000;
const longestName = 200;

interface Entry {
  readonly name: string;
  readonly chunks: AsyncIterable<Buffer>;
}

/** The parts of an archive in order. Each can be read once, and is hashed while it is read. */
export class ArchiveEntries {
  readonly parts: ArchivePart[] = [];
  readonly #entries: AsyncIterator<Entry>;
  #next: Entry | undefined;

  private constructor(entries: AsyncIterator<Entry>) {
    this.#entries = entries;
  }

  static async open(archive: Readable): Promise<ArchiveEntries> {
    const unpacked = extract();
    archive.once('error', error => unpacked.destroy(error));
    archive.pipe(unpacked as unknown as NodeJS.WritableStream);
    const entries = (async function* () {
      let parts = 0;
      for await (const entry of unpacked) {
        const { name, type } = entry.header;
        parts += 1;
        if (type !== 'file' || name.length > longestName || parts > mostParts) {
          throw notABackup(name.slice(0, longestName));
        }
        yield { name, chunks: entry as unknown as AsyncIterable<Buffer> };
      }
    })();
    const opened = new ArchiveEntries(entries);
    await opened.#advance();
    return opened;
  }

  /** The name of the next part; undefined at the end. */
  get name(): string | undefined {
    return this.#next?.name;
  }

  /** The content of the next part, which must have this name and at most so many bytes. */
  async text(name: string, longest: number): Promise<string> {
    if (this.name !== name) throw notABackup(name);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.#read()) {
      length += chunk.length;
      if (length > longest) throw notABackup(name);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** The content of all next parts whose names start like this, one after another. */
  stream(prefix: string): Readable {
    const read = async function* (entries: ArchiveEntries) {
      while (entries.name?.startsWith(prefix)) yield* entries.#read();
    };
    return Readable.from(read(this));
  }

  /** Reads the parts before the one of this name. */
  async skipTo(name: string): Promise<void> {
    while (this.#next && this.name !== name) for await (const _chunk of this.#read());
  }

  async *#read(): AsyncGenerator<Buffer> {
    const { name, chunks } = this.#next!;
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      // Where the archive ends within a part, for example.
      throw damaged(error);
    }
    this.parts.push({ name, bytes, sha256: hash.digest('hex') });
    await this.#advance();
  }

  async #advance(): Promise<void> {
    try {
      const { value, done } = await this.#entries.next();
      this.#next = done ? undefined : value;
    } catch (error) {
      throw damaged(error);
    }
  }
}

const damaged = (error: unknown): unknown =>
  (error as Error).name === 'StorageError' ? error : notABackup((error as Error).message);
