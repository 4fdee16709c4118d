import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { poll } from './poll.ts';
import type { SharedService } from './service.ts';

const program = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));

/** The built program as a separate process, as a user starts it. */
export class ParapetProcess {
  output = '';
  errors = '';
  readonly #child: ChildProcess;
  #ended: { code: number | null; signal: NodeJS.Signals | null } | null = null;

  constructor(parameters: readonly string[], env: NodeJS.ProcessEnv, input = '', release = program) {
    this.#child = spawn(process.execPath, [release, ...parameters], { env, stdio: 'pipe' });
    this.#child.stdout!.on('data', chunk => {
      this.output += chunk;
    });
    this.#child.stderr!.on('data', chunk => {
      this.errors += chunk;
    });
    this.#child.on('close', (code, signal) => {
      this.#ended = { code, signal };
    });
    this.#child.stdin!.on('error', () => undefined);
    this.#child.stdin!.end(input);
  }

  /** Waits until the output contains the text. Fails at once if the process ends first. */
  async says(text: string): Promise<void> {
    await poll(`"${text}" in the output`, () => this.output.includes(text) || this.#ended !== null);
    if (!this.output.includes(text)) throw new Error(`ended without "${text}": ${this.output}${this.errors}`);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The exit status, or the name of the signal that ended it. */
  async end(): Promise<number | string | null> {
    await poll('the process ends', () => this.#ended !== null);
    return this.#ended!.code ?? this.#ended!.signal;
  }
}

/**
 * Runs the program to its end.
 *
 * @param release the program of another release
 */
export async function parapet(
  parameters: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: string,
  release?: string,
): Promise<{ status: number | string | null; output: string; errors: string }> {
  const run = new ParapetProcess(parameters, env, input, release);
  const status = await run.end();
  return { status, output: run.output, errors: run.errors };
}

/**
 * Runs an operator's command with the environment of a service.
 *
 * @returns its JSON, also that of a `doctor` with failed checks
 * @throws {Error} with its errors, if it has no output
 */
export async function operate(env: NodeJS.ProcessEnv, ...parameters: string[]) {
  const { output, errors } = await parapet([...parameters, '--json'], { PATH: process.env.PATH, ...env });
  if (output === '') throw new Error(errors);
  return JSON.parse(output);
}

/** The database and master key of a service that runs in the process of the tests. */
export async function environmentOf({ database, storage }: Pick<SharedService, 'database' | 'storage'>) {
  const { key } = await storage.keyRing.current();
  return { DATABASE_URL: database.url, PARAPET_MASTER_KEY: key.export().toString('base64') };
}
