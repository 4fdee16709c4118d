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
  /** Junk requests per second over all connections. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly rounds: number;
}

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/** Without junk, with junk, and with junk while hostile websites are scanned. */
type ByCondition<T> = Readonly<Record<'quiet' | 'junk' | 'hostile', T>>;

export interface JunkOutcome {
  readonly signed: ByCondition<Latencies>;
  readonly healthz: ByCondition<Latencies>;
  /** Junk requests per second that were actually sent. */
  readonly sentPerSecond: number;
  /** As a share of one core. */
  readonly senderShare: number;
  /** The server process, as a share of one core. */
  readonly serverShare: ByCondition<number>;
}

/** Timed requests per second of each kind: few, so that they do not affect each other. */
const timedPerSecond = 25;

/**
 * Latencies under each condition, in alternating rounds.
 *
 * @param scanHostileSites queues a scan of each site, and resolves when all have ended
 */
export async function measureJunk(
  server: Server,
  callers: readonly Caller[],
  scanHostileSites: () => Promise<void>,
  scale: JunkScale,
  progress: (line: string) => void,
): Promise<JunkOutcome> {
  const sender = new Forked<JunkCommand, JunkSent | null>(new URL('./sender.ts', import.meta.url));
  const url = `http://127.0.0.1:${server.port}`;
  const samples = { quiet: emptySample(), junk: emptySample(), hostile: emptySample() };
  let sent = 0;
  let senderCpu = 0;
  let junkSeconds = 0;
  let turn = 0;
  const next = () =>
    signedBytes(callers[turn++ % callers.length]!, { method: 'GET', target: '/api/v1/findings?limit=20' });
  await sample(server, next, 2, emptySample());
  for (let round = 0; round < scale.rounds; round++) {
    await sample(server, next, scale.seconds, samples.quiet);
    const junkFrom = performance.now();
    await sender.tell({ kind: 'start', url, connections: scale.connections, perSecond: scale.perSecond });
    // Until every connection is open.
    await pause(2_000);
    await sample(server, next, scale.seconds, samples.junk);
    const scanned = scanHostileSites();
    await sample(server, next, scale.seconds, samples.hostile);
    await scanned;
    const outcome = (await sender.tell({ kind: 'stop' }))!;
    junkSeconds += (performance.now() - junkFrom) / 1000;
    sent += outcome.sent;
    senderCpu += outcome.cpuSeconds;
    progress(`junk, round ${round + 1} of ${scale.rounds}`);
    await pause(1_000);
  }
  sender.close();
  const each = <T>(figure: (sample: Sample) => T): ByCondition<T> => ({
    quiet: figure(samples.quiet),
    junk: figure(samples.junk),
    hostile: figure(samples.hostile),
  });
  return {
    signed: each(({ signed }) => summary(signed)),
    healthz: each(({ healthz }) => summary(healthz)),
    sentPerSecond: sent / junkSeconds,
    senderShare: senderCpu / junkSeconds,
    serverShare: each(({ cpu }) => cpu / (scale.rounds * scale.seconds)),
  };
}

interface Sample {
  readonly signed: number[];
  readonly healthz: number[];
  cpu: number;
}

const emptySample = (): Sample => ({ signed: [], healthz: [], cpu: 0 });

const healthz = Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');

async function sample(server: Server, next: () => Buffer, seconds: number, into: Sample): Promise<void> {
  const before = cpuSeconds(server.pid);
  const [signed, health] = await Promise.all([
    latenciesOf(server.port, next, seconds),
    healthLatencies(server.port, seconds),
  ]);
  into.signed.push(...signed);
  into.healthz.push(...health);
  into.cpu += cpuSeconds(server.pid) - before;
}

/** Latencies of `/healthz` in milliseconds, at 25 requests per second. */
export function healthLatencies(port: number, seconds: number): Promise<number[]> {
  return latenciesOf(port, () => healthz, seconds);
}

/**
 * At a steady rate, timed from when each request is due, so that a slow response also counts for the requests
 * that it delays.
 */
async function latenciesOf(port: number, next: () => Buffer, seconds: number): Promise<number[]> {
  const connection = await Connection.open(port);
  const latencies: number[] = [];
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
  return latencies;
}

function summary(latencies: readonly number[]): Latencies {
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), worst: Math.max(...latencies) };
}
