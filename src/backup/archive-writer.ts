import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';

/** A file of an archive. */
export interface ArchivePart {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** A tar archive that is written while it is read: its files are never in memory as a whole. */
export class ArchiveWriter {
  readonly parts: ArchivePart[] = [];
  readonly #pack: Pack = pack();

  /** The bytes of the archive. */
  stream(): Readable {
    return Readable.from(this.#pack);
  }

  /** Those of a `tar.gz`. */
  compressed(): Readable {
    const gzip = createGzip();
    const content = this.stream();
    content.once('error', error => gzip.destroy(error));
    gzip.once('close', () => this.#pack.destroy());
    return content.pipe(gzip);
  }

  /** Adds a file. Rejects if the chunks have another size, or if the archive is no longer read. */
  async add(name: string, bytes: number, chunks: AsyncIterable<Buffer> | readonly Buffer[]): Promise<void> {
    const hash = createHash('sha256');
    const closed = new AbortController();
    const onClose = () => closed.abort();
    this.#pack.once('close', onClose);
    let written = 0;
    const added = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry({ name, size: bytes, mode: 0o600 }, error =>
        error ? reject(error) : resolve(),
      );
      const write = async () => {
        for await (const chunk of chunks) {
          closed.signal.throwIfAborted();
          hash.update(chunk);
          written += chunk.length;
          if (!entry.write(chunk)) await once(entry, 'drain', { signal: closed.signal });
        }
        if (written !== bytes) throw new Error(`${name} has ${written} bytes instead of ${bytes}`);
        entry.end(undefined);
      };
      write().catch(reject);
      closed.signal.addEventListener('abort', () => reject(new Error('the archive is no longer read')));
    });
    await added;
    this.#pack.off('close', onClose);
    this.parts.push({ name, bytes, sha256: hash.digest('hex') });
  }

  /** Adds a document, last of all. */
  finish(name: string, document: object): void {
    this.#pack.entry({ name, mode: 0o600 }, `${JSON.stringify(document, null, 1)}\n`);
    this.#pack.finalize();
  }

  /** Ends the stream with an error. */
  fail(error: Error): void {
    this.#pack.destroy(error);
  }
}
