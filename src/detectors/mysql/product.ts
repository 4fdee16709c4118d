/** The server product, according to its settings. */
export interface MysqlProduct {
  readonly family: 'mysql' | 'mariadb';
  /** The service that runs it and manages some settings and accounts; null if self-hosted. */
  readonly managedBy: 'Amazon RDS' | 'Amazon Aurora' | 'Google Cloud SQL' | 'Azure Database' | null;
  /** Built by a distribution, which backports fixes to its packages. */
  readonly fromDistribution: boolean;
  /** The leading numbers: `[10, 11, 19]`. */
  readonly numbers: readonly number[];
}

/** Red Hat's and Arch's MySQL call themselves a source distribution. */
const ofDistribution = /source distribution|ubuntu|debian|\bdeb\d|\+deb|\.el\d|\.fc\d|\.amzn\d/i;
/** The vendors' own packages, whose names also contain the distribution. */
const ofMakers = /mariadb\.org|mysql community server|percona/i;

/**
 * @param variables as collected. `version` is `8.0.36`, `10.11.19-MariaDB-0+deb12u1`, `8.0.31-google`, …
 */
export function productOf(variables: Readonly<Record<string, string>>): MysqlProduct {
  const version = variables.version ?? '';
  const comment = variables.version_comment ?? '';
  const [digits = ''] = /^\d{1,6}(?:\.\d{1,6}){0,3}/.exec(version) ?? [];
  return {
    family: /mariadb/i.test(version) ? 'mariadb' : 'mysql',
    managedBy: managerOf(variables, version, comment),
    fromDistribution: ofDistribution.test(`${version} ${comment}`) && !ofMakers.test(comment),
    numbers: digits === '' ? [] : digits.split('.').map(Number),
  };
}

function managerOf(variables: Readonly<Record<string, string>>, version: string, comment: string) {
  if (variables.aurora_version !== undefined) return 'Amazon Aurora';
  if (variables.basedir?.startsWith('/rdsdbbin/')) return 'Amazon RDS';
  // No other server has this setting.
  if (variables.audit_log_enabled !== undefined) return 'Azure Database';
  if (/-google\b/.test(version) || comment === '(Google)') return 'Google Cloud SQL';
  return /-azure\b/.test(version) || /azure/i.test(comment) ? 'Azure Database' : null;
}

/** Whether `numbers` is `minimum` or newer. */
export function isAtLeast(numbers: readonly number[], ...minimum: readonly number[]): boolean {
  for (const [index, wanted] of minimum.entries()) {
    const difference = (numbers[index] ?? 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
