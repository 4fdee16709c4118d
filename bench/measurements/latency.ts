import type { Load } from '../load/load.ts';
import type { Server } from '../servers/start.ts';
import { median, quantile } from './median.ts';

/** A server with one organization that has this many findings. */
export interface Population {
  readonly findings: number;
  readonly server: Server;
  /** The group of that organization's callers. */
  readonly group: string;
  /** Resets the organization's rate limit, which the benchmark would reach otherwise. */
  forgetRequests(): Promise<void>;
}

export interface Latency {
  readonly query: string;
  readonly findings: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p95: number;
}

export interface LatencyOptions {
  readonly load: Load;
  readonly rounds: number;
  /** Requests per query and round: all together must stay below the organization's 300 per minute. */
  readonly requests: number;
}

/**
 * Response time on one connection, alternating between populations and queries. The first round only warms
 * up.
 */
export async function measureLatency(
  queries: readonly string[],
  populations: readonly Population[],
  { load, rounds, requests }: LatencyOptions,
): Promise<Latency[]> {
  const samples = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const population of populations) {
      await population.forgetRequests();
      for (const query of queries) {
        const { latencies } = await load.run({
          port: population.server.port,
          connections: 1,
          requests,
          group: population.group,
          ask: { kind: 'get', target: `/api/v1/findings?${query}` },
        });
        const key = `${population.findings} ${query}`;
        if (round > 0) samples.set(key, [...(samples.get(key) ?? []), ...latencies]);
      }
    }
  }
  return queries.flatMap(query =>
    populations.map(({ findings }) => {
      const values = samples.get(`${findings} ${query}`)!;
      return { query, findings, median: median(values), p95: quantile(values, 0.95) };
    }),
  );
}
