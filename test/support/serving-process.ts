import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));

/** The built program as a separate process, as an operator runs it. */
export class ServingProcess {
  readonly child: ChildProcess;
  /** Where it listens. */
  readonly url: string;
  /** Lines that it logged. */
  readonly log: string[];

  private constructor(child: ChildProcess, url: string, log: string[]) {
    this.child = child;
    this.url = url;
    this.log = log;
  }

  /**
   * Starts `parapet serve` and waits until it is ready.
   *
   * @param program that of another release or installation
   */
  static async serve(
    env: Record<string, string>,
    parameters: readonly string[] = [],
    program = built,
  ): Promise<ServingProcess> {
    const child = spawn(process.execPath, [program, 'serve', ...parameters], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: '0',
        PARAPET_PROCESSES: '1',
        ...env,
      } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    createInterface({ input: child.stderr! }).on('line', line => log.push(line));
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', status =>
        reject(new Error(`serve ended with ${status}: ${log.slice(-5).join('\n')}`)),
      );
      createInterface({ input: child.stdout! }).on('line', line => {
        log.push(line);
        const entry = line.startsWith('{') ? JSON.parse(line) : {};
        if (entry.msg === 'ready') resolve(entry.url ?? '');
      });
    });
    return new ServingProcess(child, url, log);
  }

  /** Starts only a worker, which may reach this machine unless `env` overrides that. */
  static work(databaseUrl: string, env: Record<string, string> = {}): Promise<ServingProcess> {
    return ServingProcess.serve(
      {
        DATABASE_URL: databaseUrl,
        PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
        PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
        ...env,
      },
      ['--role', 'worker'],
    );
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal);
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }
}
