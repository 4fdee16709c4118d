import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The reply of a forked process: its answer, or why there is none. */
type Reply<Answer> = { readonly answer: Answer } | { readonly failed: string };

/**
 * A process of the benchmark that executes one command at a time and answers, as used by the measuring
 * process.
 */
export class Forked<Command, Answer> {
  readonly #process: ChildProcess;

  constructor(file: URL) {
    this.#process = fork(fileURLToPath(file), { execArgv: ['--import', 'tsx'] });
  }

  get pid(): number {
    return this.#process.pid!;
  }

  tell(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('a process of the benchmark has ended'));
      this.#process.once('exit', ended);
      this.#process.once('message', (reply: Reply<Answer>) => {
        this.#process.off('exit', ended);
        if ('failed' in reply) reject(new Error(reply.failed));
        else resolve(reply.answer);
      });
      this.#process.send({ command });
    });
  }

  close(): void {
    if (this.#process.connected) this.#process.disconnect();
  }
}

/** In the forked process: executes commands until the parent disconnects. */
export function answerEach<Command, Answer>(work: (command: Command) => Promise<Answer>): void {
  process.on('message', async ({ command }: { command: Command }) => {
    const reply: Reply<Answer> = await work(command).then(
      answer => ({ answer }),
      (error: Error) => ({ failed: error.stack ?? error.message }),
    );
    process.send!(reply);
  });
  process.on('disconnect', () => process.exit());
}
