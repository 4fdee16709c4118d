import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutate, type Outcome } from './mutant.ts';
import { copyTree } from './tree-copy.ts';

export interface LaneRequest {
  readonly file: string;
  /** A regular expression that matches the names of the tests. */
  readonly pattern: string;
  /** Paths of files that changed since the last run. */
  readonly changed: readonly string[];
}

/** A copy of the tree, and a process that runs its tests. */
export class Lane {
  readonly #folder: string;
  #process: ChildProcess | undefined;
  /** Files that the next run must read again. */
  #changed: string[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(root: string): Promise<Lane> {
    return new Lane(await copyTree(root));
  }

  /** Runs tests of one file on the original code, or with one mutant. */
  async run(file: string, pattern: string, mutant?: Mutant): Promise<Outcome> {
    if (!mutant) return this.#ask(file, pattern);
    const path = join(this.#folder, mutant.file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, mutate(text, mutant));
    this.#changed.push(path);
    try {
      return await this.#ask(file, pattern);
    } finally {
      await writeFile(path, text);
      this.#changed.push(path);
    }
  }

  async close(): Promise<void> {
    await this.#stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #ask(file: string, pattern: string): Promise<Outcome> {
    this.#process ??= await startProcess(this.#folder);
    const child = this.#process;
    const settled = new AbortController();
    const options = { signal: settled.signal };
    const answered = once(child, 'message', options);
    const ended = once(child, 'exit', options).then(() => undefined);
    child.send({ file, pattern, changed: this.#changed } satisfies LaneRequest);
    this.#changed = [];
    const answer = await Promise.race([answered, ended]);
    void Promise.allSettled([answered, ended]);
    settled.abort();
    if (answer) return answer[0] as Outcome;
    this.#process = undefined;
    return { passed: [], failed: [], errors: ['Vitest died'] };
  }

  async #stop(): Promise<void> {
    const child = this.#process;
    // It may have died between two runs.
    if (!child?.connected) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
}

async function startProcess(cwd: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('lane-program.ts', import.meta.url));
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const child = fork(program, { cwd, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('Vitest did not start'))),
  ]);
  return child;
}
