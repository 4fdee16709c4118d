import { setTimeout as pause } from 'node:timers/promises';
import { type Caller, signedBytes } from '../load/caller.ts';
import { Connection } from '../load/connection.ts';
import { quantile } from '../measurements/median.ts';
import { cpuSeconds } from '../processes/cpu-time.ts';
import { Forked } from '../processes/forked.ts';
import type { Server } from '../servers/start.ts';
import type { JunkCommand, JunkSent } from './sender.ts';

export interface JunkScale {
  readonly connections: number;
  /** Junk requests per second, of all connections together. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly rounds: number;
}

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

export interface JunkOutcome {
  readonly signed: { readonly quiet: Latencies; readonly junk: Latencies };
  readonly healthz: { readonly quiet: Latencies; readonly junk: Latencies };
  /** Junk requests that were really sent, each second. */
  readonly sentPerSecond: number;
  /** Of one core. */
  readonly senderShare: number;
  readonly serverShare: { readonly quiet: number; readonly junk: number };
}

/** Requests per second of each kind that are timed: few, so that they do not disturb each other. */
const timedPerSecond = 25;

/** Latencies without and with junk, in rounds by turns. */
export async function measureJunk(
  server: Server,
  callers: readonly Caller[],
  scale: JunkScale,
  progress: (line: string) => void,
): Promise<JunkOutcome> {
  const sender = new Forked<JunkCommand, JunkSent | null>(new URL('./sender.ts', import.meta.url));
  const url = `http://127.0.0.1:${server.port}`;
  const quiet: Sample = { signed: [], healthz: [], cpu: 0 };
  const disturbed: Sample = { signed: [], healthz: [], cpu: 0 };
  let sent = 0;
  let senderCpu = 0;
  let turn = 0;
  const next = () =>
    signedBytes(callers[turn++ % callers.length]!, { method: 'GET', target: '/api/v1/findings?limit=20' });
  await sample(server, next, 2, { signed: [], healthz: [], cpu: 0 });
  for (let round = 0; round < scale.rounds; round++) {
    await sample(server, next, scale.seconds, quiet);
    await sender.tell({ kind: 'start', url, connections: scale.connections, perSecond: scale.perSecond });
    // Until every connection is open.
    await pause(2_000);
    await sample(server, next, scale.seconds, disturbed);
    const outcome = (await sender.tell({ kind: 'stop' }))!;
    sent += outcome.sent;
    senderCpu += outcome.cpuSeconds;
    progress(`junk, round ${round + 1} of ${scale.rounds}`);
    await pause(1_000);
  }
  sender.close();
  const seconds = scale.rounds * (scale.seconds + 2);
  return {
    signed: { quiet: summary(quiet.signed), junk: summary(disturbed.signed) },
    healthz: { quiet: summary(quiet.healthz), junk: summary(disturbed.healthz) },
    sentPerSecond: sent / seconds,
    senderShare: senderCpu / seconds,
    serverShare: {
      quiet: quiet.cpu / (scale.rounds * scale.seconds),
      junk: disturbed.cpu / (scale.rounds * scale.seconds),
    },
  };
}

interface Sample {
  readonly signed: number[];
  readonly healthz: number[];
  cpu: number;
}

async function sample(server: Server, next: () => Buffer, seconds: number, into: Sample): Promise<void> {
  const before = cpuSeconds(server.pid);
  const healthz = Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all([
    ask(server.port, next, seconds, into.signed),
    ask(server.port, () => healthz, seconds, into.healthz),
  ]);
  into.cpu += cpuSeconds(server.pid) - before;
}

/** At a steady rate, timed from the moment at which it was due: a slow answer also delays the ones after it. */
async function ask(port: number, next: () => Buffer, seconds: number, latencies: number[]): Promise<void> {
  const connection = await Connection.open(port);
  const started = performance.now();
  for (let index = 0; index < seconds * timedPerSecond; index++) {
    const due = started + (index * 1000) / timedPerSecond;
    const request = next();
    if (due > performance.now()) await pause(due - performance.now());
    const sent = performance.now();
    await connection.send(request);
    latencies.push(performance.now() - Math.min(sent, due + 2));
  }
  connection.close();
}

function summary(latencies: readonly number[]): Latencies {
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), worst: Math.max(...latencies) };
}
