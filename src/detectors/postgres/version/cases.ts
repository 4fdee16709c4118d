import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith } from '../hardened-capture.ts';

function at(version: string, banner = `PostgreSQL ${version} on x86_64-pc-linux-gnu`, on?: string) {
  const { server, collected_at } = captureWith();
  return captureWith({ server: { ...server, version, banner }, collected_at: on ?? collected_at });
}
const ofReleases = ['postgres.end_of_life', 'postgres.minor_behind'];

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'a missing minor release',
    capture: at('15.9 (Debian 15.9-0+deb12u1)'),
    expected: [{ check: 'postgres.minor_behind', locator: 'server version' }],
  },
  {
    name: 'newer than the table',
    capture: at('15.20 (Debian 15.20-0+deb12u1)'),
    expected: [],
  },
  { name: 'a release of a managed service', capture: at('16.14-R2'), expected: [] },
  {
    name: 'past its end of life, with its last release',
    capture: at('13.23'),
    expected: [{ check: 'postgres.end_of_life', locator: 'server version' }],
  },
  { name: 'old version numbers', capture: at('9.6.10'), expected: ofReleases },
  {
    name: 'on the last day of support',
    capture: at('14.23', undefined, '2026-11-12T23:00:00.000Z'),
    expected: [],
  },
  {
    name: 'a major version missing from the table',
    capture: at('19.1'),
    expected: [],
    notAssessed: ofReleases,
  },
  { name: 'a beta', capture: at('18beta1'), expected: ['postgres.minor_behind'] },
  {
    name: 'a fork with its own version numbers',
    capture: at('11.2-YB-2.20.1.0-b0', 'PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu'),
    expected: [],
    notAssessed: ofReleases,
  },
  {
    name: 'an outdated table',
    capture: at('18.4', undefined, '2027-08-01T00:00:00.000Z'),
    expected: ['postgres.version_table_outdated'],
  },
];
