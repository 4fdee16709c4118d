import { Client } from 'undici';
import { inspect } from '../../src/scan/inspect.ts';
import { inspectionOf } from '../../src/scan/inspection.ts';
import { detectorsNamed, planSource } from '../../src/scan/plan.ts';
import { createTargetGuard } from '../../src/surfaces/connection/target-guard.ts';
import { answerEach } from '../processes/forked.ts';

// The comparisons of scans, in a separate process: the same inspections without queue and database, and their
// requests only.

export interface CollectCommand {
  readonly kind: 'inspect' | 'request';
  /** Each with the paths that an inspection requests. */
  readonly sites: readonly { readonly url: string; readonly paths: readonly string[] }[];
  /** Concurrent inspections. */
  readonly atOnce: number;
}

export interface Collected {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const guard = createTargetGuard({ allowlist: ['127.0.0.0/8'] });
const planning = { profile: 'safe_all_surfaces', category: null } as const;

async function inspectSite(host: string): Promise<void> {
  const source = {
    id: host,
    kind: 'website',
    host,
    connection_mode: 'direct',
    credential: undefined,
  } as const;
  const { signal } = new AbortController();
  const detectors = planSource(source, planning);
  const result = await inspect(source, detectors, { guard, signal, userAgent: 'Parapet/bench' });
  if ('unreachable' in result) throw new Error(`${host}: ${result.unreachable}`);
  const { runs } = inspectionOf(source.id, detectorsNamed(source.kind, detectors), result.results);
  const failed = runs.find(({ status }) => status !== 'succeeded');
  if (failed) throw new Error(`${host}: ${failed.detector} ${failed.cause}`);
}

/** Sequentially on one connection; each response is read completely. */
async function requestEach(url: string, paths: readonly string[]): Promise<void> {
  const client = new Client(url, { pipelining: 1, connect: { rejectUnauthorized: false } });
  for (const path of paths) await (await client.request({ method: 'GET', path })).body.bytes();
  await client.close();
}

answerEach<CollectCommand, Collected>(async ({ kind, sites, atOnce }) => {
  const left = [...sites];
  const before = process.cpuUsage();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let site = left.shift(); site; site = left.shift()) {
        if (kind === 'inspect') await inspectSite(site.url);
        else await requestEach(site.url, site.paths);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
});
