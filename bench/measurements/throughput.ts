import type { Load } from '../load/load.ts';
import type { Ask } from '../load/requests.ts';
import { familyCpuSeconds } from '../processes/cpu-time.ts';
import type { Server } from '../servers/start.ts';
import { median } from './median.ts';

/** One kind of request to one server. */
export interface Scenario {
  readonly name: string;
  readonly server: Server;
  readonly ask: Ask;
  /** Of callers, instead of the run's. */
  readonly group?: string;
  /** Runs before each part of a round that has this many requests. What it takes is not measured. */
  readonly before?: { readonly requests: number; readonly run: () => Promise<void> };
}

/** Medians of the rounds. CPU is in seconds per 1,000 requests. */
export interface Throughput {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly serverCpu: number;
  readonly postgresCpu: number;
  readonly clientCpu: number;
  /** Milliseconds, with all connections busy. */
  readonly latency: number;
  /** Requests per second of each round. */
  readonly rounds: readonly number[];
}

export interface ThroughputOptions {
  readonly load: Load;
  readonly postmaster: number;
  /** A group of callers, unless a scenario has its own. */
  readonly group: string;
  readonly connections: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** Requests that open the connections, fill the caches and warm up the compiler. */
  readonly warmUp: (scenario: Scenario) => number;
  readonly progress: (line: string) => void;
}

type Sample = Omit<Throughput, 'name' | 'rounds'>;

/** Measures the scenarios in alternation, so that temporary load on the machine affects all of them. */
export async function measureThroughput(
  scenarios: readonly Scenario[],
  options: ThroughputOptions,
): Promise<Throughput[]> {
  const samples = scenarios.map((): Sample[] => []);
  const speeds: number[] = [];
  for (const scenario of scenarios) {
    const { requestsPerSecond } = await sample(scenario, options.warmUp(scenario), options);
    speeds.push(requestsPerSecond);
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, scenario] of scenarios.entries()) {
      const requests = Math.max(options.connections, Math.round(speeds[index]! * options.roundSeconds));
      const measured = await sample(scenario, requests, options);
      speeds[index] = measured.requestsPerSecond;
      samples[index]!.push(measured);
      options.progress(
        `round ${round + 1} of ${options.rounds}: ${scenario.name}, ${measured.requestsPerSecond.toFixed(0)}/s`,
      );
    }
  }
  return scenarios.map(({ name }, index) => summarize(name, samples[index]!));
}

async function sample(
  { server, ask, before, group: ofScenario }: Scenario,
  atLeast: number,
  { load, postmaster, group: ofRun, connections }: ThroughputOptions,
): Promise<Sample> {
  const requests = before?.requests ?? atLeast;
  const round = { port: server.port, connections, requests, group: ofScenario ?? ofRun, ask };
  const parts = Math.ceil(atLeast / requests);
  const cpu = () => ({ server: familyCpuSeconds(server.pid), postgres: familyCpuSeconds(postmaster) });
  const sum = { seconds: 0, server: 0, postgres: 0, client: 0 };
  const latencies: number[] = [];
  for (let part = 0; part < parts; part++) {
    await before?.run();
    let start = { server: 0, postgres: 0 };
    const outcome = await load.run(round, () => {
      start = cpu();
    });
    const end = cpu();
    sum.seconds += outcome.seconds;
    sum.server += end.server - start.server;
    sum.postgres += end.postgres - start.postgres;
    sum.client += outcome.clientCpuSeconds;
    latencies.push(...outcome.latencies);
  }
  const all = requests * parts;
  const per1000 = (seconds: number) => (seconds * 1000) / all;
  return {
    requestsPerSecond: all / sum.seconds,
    serverCpu: per1000(sum.server),
    postgresCpu: per1000(sum.postgres),
    clientCpu: per1000(sum.client),
    latency: median(latencies),
  };
}

function summarize(name: string, samples: readonly Sample[]): Throughput {
  const of = (figure: keyof Sample) => median(samples.map(each => each[figure]));
  return {
    name,
    requestsPerSecond: of('requestsPerSecond'),
    serverCpu: of('serverCpu'),
    postgresCpu: of('postgresCpu'),
    clientCpu: of('clientCpu'),
    latency: of('latency'),
    rounds: samples.map(each => each.requestsPerSecond),
  };
}
