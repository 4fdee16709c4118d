import type { PostgresCapture } from '../../../captures/postgres.ts';
import { detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { postgresReleases } from '../../lexicon/end-of-life/postgres.ts';
import { isOutdated, standingOf } from '../../lexicon/end-of-life/table.ts';
import { providerOf } from '../provider.ts';
import { versionChecks as checks } from './checks.ts';

const locator = 'server version';

/** Whether the server's version is supported, and has all fixes. */
export const postgresVersionDetector: Detector<PostgresCapture> = {
  name: 'postgres.version',
  surface: 'postgres',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { server, collected_at } = capture;
    if (isOutdated(postgresReleases, collected_at)) {
      found.observe(checks.tableOutdated, locator, `The list of versions is from ${postgresReleases.as_of}.`);
    }
    const ofReleases = [checks.endOfLife, checks.behind];
    const standing = standingOf(postgresReleases, server.version, collected_at);
    if (!isPlainPostgres(server.banner)) {
      // Its first numbers name the compatible PostgreSQL version, not the installed release.
      found.cannotAssess(ofReleases, 'The server is a PostgreSQL fork with its own releases.');
    } else if (standing === undefined) {
      found.cannotAssess(
        ofReleases,
        `The list of versions from ${postgresReleases.as_of} does not contain version ${quoted(server.version, 40)}.`,
      );
    } else {
      const version = `The server is version ${quoted(server.version, 60)}`;
      const { series, ended, behind } = standing;
      const provider = providerOf(capture)?.name;
      const vendor = provider ?? (isOfDistribution(server.version) ? 'the distribution' : undefined);
      if (ended) {
        const fact = `${version}; the project’s support for ${series.series} ended on ${series.end_of_life}.`;
        if (vendor === undefined) found.observe(checks.endOfLife, locator, fact);
        else
          found.observe(
            checks.endOfLife,
            locator,
            `${fact} It may still get fixes from ${vendor}.`,
            'medium',
          );
      }
      if (behind) {
        const fact = `${version}; ${series.latest} was available on ${postgresReleases.as_of}.`;
        if (provider === undefined) found.observe(checks.behind, locator, fact);
        // Amazon’s customers choose the release; other services install it in a maintenance window.
        else if (provider.startsWith('Amazon')) found.observe(checks.behind, locator, fact, 'low');
        else found.observe(checks.behind, locator, `${fact} ${provider} decides when to install it.`, 'info');
      }
    }
  }),
};

/**
 * Debian and Ubuntu backport fixes while they support the release; `pgdg` marks the project's own packages.
 */
function isOfDistribution(version: string): boolean {
  return /\((?:Debian|Ubuntu) /.test(version) && !version.includes('pgdg');
}

/** Forks start their banner with the name too, and add their own. */
function isPlainPostgres(banner: string): boolean {
  return (
    /^PostgreSQL \d/.test(banner) &&
    !/-YB-|yugabyte|greenplum|redshift|cockroach|enterprisedb|materialize|opengauss|kingbase/i.test(banner)
  );
}
