import { readdir, readFile } from 'node:fs/promises';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Written by the build next to each file, compressed more than is affordable per request. In order of preference. */
const encodings = ['br', 'gzip', 'identity'];
const suffixes: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };

/**
 * Serves files of a build folder by name. Names and contents are read once and kept in memory: requests are unauthenticated,
 * and searching the disk for a missing file is slower than any other response.
 */
export class BuiltFiles {
  readonly #folder: string;
  #names: Promise<ReadonlySet<string>> | undefined;
  readonly #contents = new Map<string, Promise<Buffer>>();

  /** @param folder ends with a slash */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads everything again, after another build. */
  forget(): void {
    this.#names = undefined;
    this.#contents.clear();
  }

  /** Throws `not_found`. */
  async send(request: FastifyRequest, reply: FastifyReply, name: string, caching: string): Promise<Buffer> {
    this.#names ??= readdir(this.#folder).then(names => new Set(names));
    const names = await this.#names.catch(() => {
      // The pages are not built, or the read failed temporarily.
      this.#names = undefined;
      return new Set<string>();
    });
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined || !names.has(name)) throw new Refusal('not_found');
    const accepted = String(request.headers['accept-encoding'] ?? '').slice(0, 200);
    const supported = encodings.filter(encoding => names.has(name + (suffixes[encoding] ?? '')));
    const encoding = negotiate.negotiate(accepted, supported) ?? 'identity';
    const content = await this.#read(name + (suffixes[encoding] ?? ''));
    void reply.headers({ 'cache-control': caching, vary: 'accept-encoding' }).type(type);
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return content;
  }

  #read(name: string): Promise<Buffer> {
    const known = this.#contents.get(name);
    if (known) return known;
    const content = readFile(this.#folder + name);
    this.#contents.set(name, content);
    content.catch(() => this.forget());
    return content;
  }
}
