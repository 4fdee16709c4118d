import type { MysqlCapture } from '../../../captures/mysql.ts';
import { detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { mariadbReleases } from '../../lexicon/end-of-life/mariadb.ts';
import { mysqlReleases } from '../../lexicon/end-of-life/mysql.ts';
import { isOutdated, standingOf } from '../../lexicon/end-of-life/table.ts';
import { productOf } from '../product.ts';
import { versionChecks as checks } from './checks.ts';

/** Whether the server's version is supported, and has all security fixes. */
export const mysqlVersionDetector: Detector<MysqlCapture> = {
  name: 'mysql.version',
  surface: 'mysql',
  checks: Object.values(checks),
  detect: detecting((found, { variables, collected_at }) => {
    if (!variables.assessed) return found.cannotAssess(Object.values(checks), variables.reason);
    const product = productOf(variables.value);
    const table = product.family === 'mariadb' ? mariadbReleases : mysqlReleases;
    if (isOutdated(table, collected_at)) {
      found.observe(
        checks.tableOutdated,
        table.product,
        `The list of ${table.product} versions is from ${table.as_of}.`,
      );
    }
    const version = variables.value.version ?? '';
    const standing = standingOf(table, version, collected_at);
    if (standing === undefined)
      return found.cannotAssess(
        [checks.endOfLife, checks.behind],
        `The list of versions from ${table.as_of} does not contain version ${quoted(version, 40)}.`,
      );
    const { series, ended, behind } = standing;
    const name = `${table.product} ${series.series}`;
    const vendor = product.managedBy ?? (product.fromDistribution ? 'the distribution' : null);
    if (ended) {
      const fact = `${name} has not been supported by its vendor since ${series.end_of_life}.`;
      if (vendor === null) found.observe(checks.endOfLife, name, fact);
      else found.observe(checks.endOfLife, name, `${fact} It may still get fixes from ${vendor}.`, 'medium');
    }
    if (vendor !== null) {
      found.cannotAssess(
        [checks.behind],
        `The server was built by ${vendor}, whose releases include fixes under their own version numbers.`,
      );
    } else if (behind) {
      found.observe(
        checks.behind,
        name,
        `The server is ${quoted(version, 60)}; ${series.latest ?? series.known} is available.`,
      );
    } else if (series.latest === null && !ended) {
      found.cannotAssess(
        [checks.behind],
        `The list of versions from ${table.as_of} does not contain the newest release of ${name}.`,
      );
    }
  }),
};
