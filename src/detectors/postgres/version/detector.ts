import type { PostgresCapture } from '../../../captures/postgres.ts';
import { DetectionBuilder, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { postgresReleases } from '../../lexicon/end-of-life/postgres.ts';
import { isOutdated, standingOf } from '../../lexicon/end-of-life/table.ts';
import { providerOf } from '../provider.ts';
import { versionChecks as checks } from './checks.ts';

const locator = 'server version';

/** Whether the server is of a release that its makers still mend, and has their fixes. */
export const postgresVersionDetector: Detector<PostgresCapture> = {
  name: 'postgres.version',
  surface: 'postgres',
  checks: Object.values(checks),
  detect(capture) {
    const { server, collected_at } = capture;
    const found = new DetectionBuilder();
    if (isOutdated(postgresReleases, collected_at)) {
      found.observe(checks.tableOutdated, locator, `The table is of ${postgresReleases.as_of}.`);
    }
    const ofReleases = [checks.endOfLife, checks.behind];
    const standing = standingOf(postgresReleases, server.version, collected_at);
    if (!isPlainPostgres(server.banner)) {
      // Its first numbers are those of the PostgreSQL that it speaks like, not of the release that is installed.
      found.cannotAssess(ofReleases, 'The server is a PostgreSQL fork with its own releases.');
    } else if (standing === undefined) {
      found.cannotAssess(
        ofReleases,
        `The table of ${postgresReleases.as_of} does not know version ${quoted(server.version, 40)}.`,
      );
    } else {
      const version = `The server is version ${quoted(server.version, 60)}`;
      const { series, ended, behind } = standing;
      const provider = providerOf(capture)?.name;
      const vendor = provider ?? (isOfDistribution(server.version) ? 'the distribution' : undefined);
      if (ended) {
        const fact = `${version}; its makers’ support for ${series.series} ended on ${series.end_of_life}.`;
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
        const fact = `${version}; ${series.latest} was out on ${postgresReleases.as_of}.`;
        if (provider === undefined) found.observe(checks.behind, locator, fact);
        // Amazon’s customers choose the release; others get it in a maintenance window.
        else if (provider.startsWith('Amazon')) found.observe(checks.behind, locator, fact, 'low');
        else
          found.observe(checks.behind, locator, `${fact} When it is installed ${provider} decides.`, 'info');
      }
    }
    return found.result();
  },
};

/** Debian and Ubuntu mend what they ship for as long as they support the release; the project's own packages are `pgdg`. */
function isOfDistribution(version: string): boolean {
  return /\((?:Debian|Ubuntu) /.test(version) && !version.includes('pgdg');
}

/** Relatives begin their banner with the name too, and put their own into it. */
function isPlainPostgres(banner: string): boolean {
  return (
    /^PostgreSQL \d/.test(banner) &&
    !/-YB-|yugabyte|greenplum|redshift|cockroach|enterprisedb|materialize|opengauss|kingbase/i.test(banner)
  );
}
