import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A clone of a source's repository, of which files and their history are read. */
export class SourceRepository {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Clones a repository for the time of the work, or reads a clone that exists, by its path. */
  static within<Result>(place: string, work: (repository: SourceRepository) => Result): Result {
    if (!place.startsWith('https:')) return work(new SourceRepository(place));
    const folder = mkdtempSync(join(tmpdir(), 'parapet-advisories-'));
    try {
      git(['clone', '--quiet', '--bare', '--single-branch', place, folder]);
      return work(new SourceRepository(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** A file's text in a commit. Null if the commit does not have it. */
  read(file: string, commit = 'HEAD'): string | null {
    const { status, stdout } = run(['-C', this.#folder, 'show', `${commit}:${file}`]);
    return status === 0 ? stdout : null;
  }

  /** A file's bytes in the newest commit. @throws if it does not have the file */
  readBytes(file: string): Buffer {
    const { status, stdout } = spawnSync('git', ['-C', this.#folder, 'show', `HEAD:${file}`], {
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`The repository has no ${file}.`);
    return stdout;
  }

  /** The commits that changed a file, the newest first, with their dates (YYYY-MM-DD). */
  changesOf(file: string): readonly { readonly commit: string; readonly date: string }[] {
    return git(['-C', this.#folder, 'log', '--format=%H %cs', '--', file])
      .trim()
      .split('\n')
      .map(line => line.split(' '))
      .map(([commit = '', date = '']) => ({ commit, date }));
  }
}

const run = (parameters: readonly string[]) =>
  spawnSync('git', parameters, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

function git(parameters: readonly string[]): string {
  const { status, stdout, stderr, error } = run(parameters);
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${parameters[0]}: ${stderr.trim()}`);
  return stdout;
}
