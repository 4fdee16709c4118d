import { constants, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const maxFiles = 1_000;
const maxFileBytes = 2_000_000;
const maxBytes = 30_000_000;
const maxMatches = 500;
const maxLinks = 40;

/**
 * Reads configuration files below a root, and nothing else. Bounded: what is beyond is treated as missing, as are files that cannot be
 * read.
 */
export class ConfigurationFiles {
  readonly #root: string;
  /** What was read, listed or missing, each as it was before. */
  readonly #seen = new Map<string, string>();
  readonly #unreadable = new Set<string>();
  #files = 0;
  #bytes = 0;

  /** @param root `/`, or where the file system of another machine is mounted */
  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** Files and folders that this user may not read. */
  get unreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  /** Whether what was read, listed or missing is another file or has another content. Costs one `stat` for each. */
  async haveChanged(): Promise<boolean> {
    for (const [path, before] of this.#seen) {
      if ((await this.#versionOf(path)) !== before) return true;
    }
    return false;
  }

  /** @param path absolute, as in the configuration */
  async read(path: string): Promise<string | undefined> {
    const place = await this.#placeOf(path);
    await this.#note(path);
    if (place === undefined || this.#files >= maxFiles) return undefined;
    try {
      const { size } = await stat(place).then(found => (found.isFile() ? found : { size: maxBytes }));
      if (size > maxFileBytes || this.#bytes + size > maxBytes) return undefined;
      this.#files += 1;
      this.#bytes += size;
      return await readFile(place, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
    } catch (error) {
      this.#noteUnreadable(path, error);
      return undefined;
    }
  }

  async exists(path: string): Promise<boolean> {
    await this.#note(path);
    return (await this.#placeOf(path)) !== undefined;
  }

  /** Absolute paths of files that match a pattern with `*` and `?`, in the order in which servers include them. */
  async matching(pattern: string, base: string): Promise<string[]> {
    let paths = ['/'];
    for (const segment of resolve(base, pattern).split('/').slice(1)) {
      if (!/[*?]/.test(segment)) {
        paths = paths.map(path => join(path, segment));
        continue;
      }
      const found: string[] = [];
      for (const path of paths) {
        const place = await this.#placeOf(path);
        await this.#note(path);
        const names =
          place === undefined ? [] : await readdir(place).catch(error => this.#noteUnreadable(path, error));
        found.push(
          ...names
            .filter(name => !name.startsWith('.') && matches(name, segment))
            .sort()
            .map(name => join(path, name)),
        );
      }
      paths = found.slice(0, maxMatches);
    }
    return paths;
  }

  async #note(path: string): Promise<void> {
    if (!this.#seen.has(path)) this.#seen.set(path, await this.#versionOf(path));
  }

  /** Changes with the content of a file or folder, and when another one replaces it. */
  async #versionOf(path: string): Promise<string> {
    const place = await this.#placeOf(path);
    const found = place === undefined ? undefined : await stat(place).catch(() => undefined);
    return found === undefined ? 'missing' : `${found.dev} ${found.ino} ${found.ctimeMs} ${found.size}`;
  }

  #noteUnreadable(path: string, error: unknown): never[] {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') this.#unreadable.add(path);
    return [];
  }

  /** Where it is: links are followed as on the machine whose file system this is, where the root is `/`. */
  async #placeOf(path: string): Promise<string | undefined> {
    let place = this.#root;
    const rest = path.split('/');
    for (let links = 0; rest.length > 0; ) {
      const name = rest.shift()!;
      if (name === '' || name === '.') continue;
      if (name === '..') {
        if (place !== this.#root) place = dirname(place);
        continue;
      }
      const next = join(place, name);
      const target = await readlink(next).catch(() => undefined);
      if (target === undefined) {
        place = next;
        continue;
      }
      if (++links > maxLinks) return undefined;
      if (target.startsWith('/')) place = this.#root;
      rest.unshift(...target.split('/'));
    }
    try {
      await stat(place);
      return place;
    } catch (error) {
      this.#noteUnreadable(path, error);
      return undefined;
    }
  }
}

/** Whether a name matches a pattern with `*` and `?`: a star takes as few letters as the rest of the pattern permits. */
function matches(name: string, pattern: string): boolean {
  let [at, star, from] = [0, -1, 0];
  let index = 0;
  while (index < name.length) {
    if (at < pattern.length && pattern[at] !== '*' && (pattern[at] === '?' || pattern[at] === name[index])) {
      at += 1;
      index += 1;
    } else if (pattern[at] === '*') {
      star = at++;
      from = index;
    } else if (star >= 0) {
      at = star + 1;
      index = ++from;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
