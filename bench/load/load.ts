import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Caller } from './caller.ts';
import type { Command, Outcome, Report, Round } from './round.ts';

/** The process that makes the load, seen from the one that measures. */
export class Load {
  readonly #process: ChildProcess;

  constructor() {
    const client = fileURLToPath(new URL('./client.ts', import.meta.url));
    this.#process = fork(client, { execArgv: ['--import', 'tsx'] });
  }

  async callers(group: string, callers: readonly Caller[]): Promise<void> {
    await this.#tell({ kind: 'callers', group, callers });
  }

  /** Signs, then sends. `aboutToSend` is called in between. Throws when any answer is not 2xx. */
  async run(round: Round, aboutToSend: () => void = () => {}): Promise<Outcome> {
    await this.#tell({ kind: 'prepare', round });
    aboutToSend();
    const report = await this.#tell({ kind: 'run' });
    if (report.kind !== 'done') throw new Error('the load gave no outcome');
    return report.outcome;
  }

  close(): void {
    this.#process.disconnect();
  }

  #tell(command: Command): Promise<Report> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('the load process has ended'));
      this.#process.once('exit', ended);
      this.#process.once('message', (report: Report) => {
        this.#process.off('exit', ended);
        if (report.kind === 'failed') reject(new Error(`${JSON.stringify(command.kind)}: ${report.reason}`));
        else resolve(report);
      });
      this.#process.send(command);
    });
  }
}
