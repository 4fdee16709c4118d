import http from 'node:http';
import { cpuSeconds, familyCpuSeconds } from '../processes/cpu-time.ts';
import type { Visitor } from './pages.ts';

/** What a request costs, sent one at a time over one connection of this machine. */
export interface RequestTime {
  /** Below `/dashboard/api`. */
  readonly path: string;
  readonly p50: number;
  readonly p95: number;
  /** CPU ms per request. */
  readonly server: number;
  readonly postgres: number;
  readonly bytes: number;
}

export interface MeasuredProcesses {
  readonly server: number;
  /** The parent process of PostgreSQL's processes. */
  readonly postmaster: number;
}

/** Without ids and positions: requests of the same shape take about as long. */
export function shapeOf(path: string): string {
  return decodeURIComponent(path)
    .replace(/^\/organizations\/[^/]+/, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/cursor=[\w.~-]+/, 'cursor=…');
}

const warmUps = 6;
/** At least three requests, whatever they take. */
const longestMs = 4_000;

/** @param requests fewer if they take longer than a few seconds together */
export async function timeRequest(
  { url, cookie }: Visitor,
  path: string,
  requests: number,
  processes: MeasuredProcesses,
): Promise<RequestTime> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const send = () => sendOnce(agent, `${url}/dashboard/api${path}`, cookie);
  let bytes = (await send()).bytes;
  const started = performance.now();
  for (let sent = 1; sent < warmUps && performance.now() - started < longestMs; sent += 1) await send();
  const before = cpuOf(processes);
  const times: number[] = [];
  const begun = performance.now();
  while (times.length < requests && (times.length < 3 || performance.now() - begun < longestMs)) {
    const answer = await send();
    bytes = answer.bytes;
    times.push(answer.milliseconds);
  }
  const after = cpuOf(processes);
  agent.destroy();
  times.sort((one, other) => one - other);
  return {
    path,
    p50: times[Math.floor(times.length / 2)]!,
    p95: times[Math.min(times.length - 1, Math.floor(times.length * 0.95))]!,
    server: ((after.server - before.server) * 1_000) / times.length,
    postgres: ((after.postgres - before.postgres) * 1_000) / times.length,
    bytes,
  };
}

function cpuOf({ server, postmaster }: MeasuredProcesses) {
  return { server: cpuSeconds(server), postgres: familyCpuSeconds(postmaster) };
}

async function sendOnce(agent: http.Agent, url: string, cookie: string) {
  const started = performance.now();
  return new Promise<{ milliseconds: number; bytes: number }>((resolve, reject) => {
    const headers = { cookie, accept: 'application/json', 'accept-encoding': 'gzip, br', 'x-automatic': '1' };
    const request = http.get(url, { agent, headers }, response => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ milliseconds: performance.now() - started, bytes });
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });
}
