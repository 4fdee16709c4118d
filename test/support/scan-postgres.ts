import { detectorsFor } from '../../src/detectors/catalogue.ts';
import type { NotAssessed, Observation } from '../../src/detectors/detector.ts';
import type { PostgresEvidence } from '../../src/evidence/postgres.ts';
import { collectPostgres } from '../../src/surfaces/postgres/collect.ts';
import { testAuthority } from './certificates.ts';
import { findOutsidePostgres } from './outside-postgres.ts';
import { loopbackGuard } from './website.ts';

/** Trusted by `scanPostgres`. */
export const authority = testAuthority();

/** The PostgreSQL of the npm package (18), and Debian's (15) where it is installed. */
export async function installedPostgres(): Promise<readonly { name: string; programs?: string }[]> {
  const programs = await findOutsidePostgres();
  if (programs) return [{ name: 'PostgreSQL 18' }, { name: 'Debian’s PostgreSQL', programs }];
  console.warn('SKIPPED: no PostgreSQL of Debian is installed; its tests run against PostgreSQL 18 only.');
  return [{ name: 'PostgreSQL 18' }];
}

export interface PostgresScan {
  readonly evidence: PostgresEvidence;
  readonly observations: readonly Observation[];
  /** Without what does not apply. */
  readonly notAssessed: readonly NotAssessed[];
}

/** Collects a server's evidence on loopback and runs every detector on it. */
export async function scanPostgres(port: number, logIn: string, path: string): Promise<PostgresScan> {
  const evidence = await collectPostgres(`127.0.0.1:${port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(40_000),
    trustedRoots: [authority.root],
    credential: { type: 'dsn', dsn: `postgres://${logIn}@127.0.0.1:${port}/${path}` },
  });
  const detections = detectorsFor('postgres').map(detector => detector.detect(evidence));
  return {
    evidence,
    observations: detections.flatMap(({ observations }) => observations),
    notAssessed: detections
      .flatMap(({ notAssessed }) => notAssessed)
      .filter(({ inapplicable }) => !inapplicable),
  };
}
