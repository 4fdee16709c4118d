import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { poll } from '../poll.ts';

export type Order = 'close' | 'insert';

export type Report =
  | { kind: 'log'; event: string; fields: object }
  | {
      kind: 'opened';
      connection: { host: string; port: number; user: string; password: string; database: string };
    }
  | { kind: 'lost'; reason: string }
  | { kind: 'failed'; message: string }
  | { kind: 'acknowledged'; number: number }
  | { kind: 'closed' };

let built = 0;

/** Bundled into one file: Node takes several times as long to start from TypeScript. */
function build(): string {
  const name = `attached-${process.pid}-${built++}.mjs`;
  const outfile = fileURLToPath(new URL(`../../../node_modules/.cache/${name}`, import.meta.url));
  const entryPoints = [fileURLToPath(new URL('attached.ts', import.meta.url))];
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  return outfile;
}

/** Another process that is attached to the private PostgreSQL of `directory`. */
export class AttachedProcess {
  readonly child: ChildProcess;
  readonly reports: Report[] = [];

  /** @param user the process's user; only root can choose one */
  constructor(directory: string, user?: { uid: number; gid: number }) {
    const program = build();
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    this.child = fork(program, [directory], { stdio: [...stdio], execArgv: [], ...user });
    this.child.once('exit', () => rmSync(program, { force: true }));
    this.child.on('message', message => this.reports.push(message as Report));
  }

  /** The first report of this kind. Fails if the process ends without one. */
  async reported<K extends Report['kind']>(kind: K): Promise<Extract<Report, { kind: K }>> {
    const find = () => this.reports.find(report => report.kind === kind);
    await poll(`a process reports "${kind}"`, () => find() !== undefined || !this.child.connected);
    const report = find();
    if (report === undefined) throw new Error(`no "${kind}" in ${JSON.stringify(this.reports)}`);
    return report as Extract<Report, { kind: K }>;
  }

  /** The last number that the database acknowledged, 0 if none. */
  lastAcknowledged(): number {
    return Math.max(0, ...this.reports.map(report => (report.kind === 'acknowledged' ? report.number : 0)));
  }

  logged(event: string): boolean {
    return this.reports.some(report => report.kind === 'log' && report.event === event);
  }

  order(order: Order): void {
    this.child.send(order);
  }

  /** Closes in order and waits for the end of the process. */
  async close(): Promise<void> {
    this.order('close');
    await this.reported('closed');
    await this.ended();
  }

  /** Sends SIGKILL, and waits for the end of the process. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }

  private async ended(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}
