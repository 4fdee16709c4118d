import { numbersOf } from '../product.ts';

/** A vulnerability of Redis, and the first releases without it. */
export interface Vulnerability {
  readonly ids: readonly string[];
  readonly severity: 'high' | 'medium';
  /** What an attacker needs and gains, as a clause. */
  readonly allows: string;
  /** By series, newest first. Series before the oldest are affected, and get no fix. */
  readonly fixedIn: readonly string[];
  /** The first series that is affected, if not all are. */
  readonly since?: string;
}

/**
 * As of 2026-05-08. Only vulnerabilities that run code, or that need no login. Sources: records of CVE.org (also in CISA's vulnrichment), and
 * the advisories of https://github.com/redis/redis/security/advisories.
 */
export const vulnerabilities: readonly Vulnerability[] = [
  {
    ids: ['CVE-2026-25243', 'CVE-2026-23631'],
    severity: 'high',
    allows: 'a user with RESTORE or scripts can run code on the server',
    // Support of 8.0 had ended with 8.0.6: later releases of it are not judged.
    fixedIn: ['8.6.3', '8.4.3', '8.2.6', '8.0.7', '7.4.9', '7.2.14', '6.2.22'],
  },
  {
    ids: ['CVE-2025-49844'],
    severity: 'high',
    allows: 'a user who may run scripts can run code on the server',
    fixedIn: ['8.2.2', '8.0.4', '7.4.6', '7.2.11', '6.2.20'],
  },
  {
    ids: ['CVE-2025-21605'],
    severity: 'high',
    allows: 'a client without a login can fill the memory of a server with a password',
    fixedIn: ['7.4.3', '7.2.8', '6.2.18'],
  },
  {
    ids: ['CVE-2024-46981'],
    severity: 'high',
    allows: 'a user who may run scripts can run code on the server',
    fixedIn: ['7.4.2', '7.2.7', '6.2.17'],
  },
  {
    ids: ['CVE-2024-31449'],
    severity: 'high',
    allows: 'a user who may run scripts can run code on the server',
    fixedIn: ['7.4.1', '7.2.6', '6.2.16'],
  },
  {
    ids: ['CVE-2022-24834'],
    severity: 'high',
    allows: 'a user who may run scripts can run code on the server',
    fixedIn: ['7.0.12', '6.2.13', '6.0.20'],
  },
  {
    ids: ['CVE-2023-36824'],
    severity: 'high',
    allows: 'a client can overwrite memory of the server with certain commands, and so may run code',
    fixedIn: ['7.0.12'],
    since: '7.0',
  },
];

/**
 * Vulnerabilities of modules by the names under which they are loaded, as of 2026-05-08. Sources: CISA's vulnrichment, and the release
 * notes of the modules. Where these name the fixed release only, the one after the last affected is here.
 */
export const moduleVulnerabilities: Readonly<Record<string, readonly Vulnerability[]>> = {
  bf: [
    {
      ids: ['CVE-2024-25115'],
      severity: 'high',
      allows: 'a user of its commands can run code on the server',
      fixedIn: ['2.6.10', '2.4.7'],
      since: '2.0',
    },
  ],
  search: [
    {
      ids: ['CVE-2024-51737'],
      severity: 'high',
      allows: 'a user of its commands can run code on the server',
      fixedIn: ['2.10.10', '2.8.21', '2.6.24'],
      since: '2.6',
    },
  ],
  timeseries: [
    {
      ids: ['CVE-2024-51480'],
      severity: 'high',
      allows: 'a user of its commands can run code on the server',
      fixedIn: ['1.12.3', '1.10.13', '1.8.14'],
      since: '1.8',
    },
  ],
};

/** The version of a module that counts as these do: 20406 is 2.4.6. */
export function moduleNumbers(version: string): readonly number[] {
  if (!/^\d{5,6}$/.test(version)) return [];
  const number = Number(version);
  return [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < 3; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const seriesOf = (version: readonly number[]) => version.slice(0, 2);

/** Whether a release of Redis has the vulnerability. Its own series decides, or else the next one that was fixed. */
export function isVulnerable({ fixedIn, since }: Vulnerability, version: readonly number[]): boolean {
  if (version.length < 3 || (since && compare(version, numbersOf(since)) < 0)) return false;
  const fixes = fixedIn.map(numbersOf);
  const own = fixes.find(fix => compare(seriesOf(fix), seriesOf(version)) === 0);
  if (own) return compare(version, own) < 0;
  return fixes.some(fix => compare(version, fix) < 0);
}
