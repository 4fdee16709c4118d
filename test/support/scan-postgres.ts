import type { PostgresCapture } from '../../src/captures/postgres.ts';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { collectPostgres } from '../../src/surfaces/postgres/collect.ts';
import { testAuthority } from './certificates.ts';
import { type LiveScan, liveScan } from './live-scan.ts';
import { findOutsidePostgres } from './outside-postgres.ts';
import { loopbackGuard } from './website.ts';

/** Trusted by `scanPostgres`. */
export const authority = testAuthority();

/** The PostgreSQL of the npm package (18), and Debian's (15) if installed. */
export async function installedPostgres(): Promise<readonly { name: string; programs?: string }[]> {
  const programs = await findOutsidePostgres();
  if (programs) return [{ name: 'PostgreSQL 18' }, { name: 'Debian’s PostgreSQL', programs }];
  return [{ name: 'PostgreSQL 18' }];
}

export interface PostgresScan extends LiveScan {
  readonly capture: PostgresCapture;
}

/**
 * Captures a server on loopback and runs every detector on it.
 *
 * @param at the time of the scan for the detectors, if not now
 */
export async function scanPostgres(
  port: number,
  logIn: string,
  path: string,
  at?: Date,
): Promise<PostgresScan> {
  const capture = await collectPostgres(`127.0.0.1:${port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(40_000),
    trustedRoots: [authority.root],
    credential: { type: 'dsn', dsn: `postgres://${logIn}@127.0.0.1:${port}/${path}` },
  });
  const when = at === undefined ? {} : { collected_at: at.toISOString() };
  return { capture, ...liveScan(detectorsFor('postgres'), { ...capture, ...when }) };
}
