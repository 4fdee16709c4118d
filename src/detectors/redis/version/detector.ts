import type { RedisCapture } from '../../../captures/redis.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { redisReleases, valkeyReleases } from '../../lexicon/end-of-life/redis.ts';
import { isOutdated, standingOf } from '../../lexicon/end-of-life/table.ts';
import { numbersOf, productOf, type RedisProduct } from '../product.ts';
import { versionChecks as checks } from './checks.ts';
import { isVulnerable, moduleNumbers, moduleVulnerabilities, vulnerabilities } from './vulnerabilities.ts';

/** Whether the server's version is supported, and has the known fixes. */
export const redisVersionDetector: Detector<RedisCapture> = {
  name: 'redis.version',
  surface: 'redis',
  checks: Object.values(checks),
  detect: detecting((found, { info, absent, modules, collected_at }) => {
    detectModules(found, modules);
    const { vulnerableModule: _, ...ofServer } = checks;
    if (!info.assessed) return found.cannotAssess(Object.values(ofServer), info.reason);
    const product = productOf(info.value);
    const table = product.family === 'valkey' ? valkeyReleases : redisReleases;
    if (isOutdated(table, collected_at))
      found.observe(
        checks.tableOutdated,
        table.product,
        `The list of ${table.product} versions is from ${table.as_of}.`,
      );
    if (product.family === 'other')
      return found.cannotAssess(
        [checks.vulnerable, checks.endOfLife, checks.behind],
        `The server is ${product.name}, which has version numbers of its own.`,
      );
    // Services that run servers for others usually remove CONFIG.
    // Sentinel has no CONFIG either.
    const isManaged = absent.includes('+config|get') && info.value.redis_mode !== 'sentinel';
    const fixer = product.fixedBy ?? (isManaged ? 'a service' : null);
    detectStanding(found, product, fixer, collected_at);
    detectVulnerabilities(found, product, fixer);
  }),
};

function detectStanding(found: DetectionBuilder, product: RedisProduct, fixer: string | null, on: string) {
  const table = product.family === 'valkey' ? valkeyReleases : redisReleases;
  const standing = standingOf(table, product.version, on);
  if (standing === undefined)
    return found.cannotAssess(
      [checks.endOfLife, checks.behind],
      `The list of versions from ${table.as_of} does not contain version ${quoted(product.version, 40)}.`,
    );
  const { series, ended, behind } = standing;
  const name = `${table.product} ${series.series}`;
  if (ended) {
    const fact = `${name} has not been supported by its makers since ${series.end_of_life}.`;
    if (fixer === null) found.observe(checks.endOfLife, name, fact);
    else found.observe(checks.endOfLife, name, `${fact} It may still get fixes from ${fixer}.`, 'medium');
  }
  if (fixer !== null) return found.cannotAssess([checks.behind], includesFixes(fixer));
  if (behind)
    found.observe(
      checks.behind,
      name,
      `The server is ${quoted(product.version, 40)}; ${series.latest ?? series.known} is available.`,
    );
  else if (series.latest === null)
    found.cannotAssess(
      [checks.behind],
      `The list of versions from ${table.as_of} does not contain the newest release of ${name}.`,
    );
}

function detectVulnerabilities(found: DetectionBuilder, product: RedisProduct, fixer: string | null) {
  if (product.family === 'valkey')
    return found.cannotAssess(
      [checks.vulnerable],
      'The list of vulnerabilities does not contain releases of Valkey.',
    );
  if (fixer !== null) return found.cannotAssess([checks.vulnerable], includesFixes(fixer));
  const version = numbersOf(product.version);
  if (version.length < 3)
    return found.cannotAssess([checks.vulnerable], 'The server does not report a complete version.');
  for (const vulnerability of vulnerabilities) {
    if (!isVulnerable(vulnerability, version)) continue;
    const { ids, allows, severity } = vulnerability;
    found.observe(
      checks.vulnerable,
      ids[0]!,
      `The server is Redis ${quoted(product.version, 40)}, which has ${ids.join(' and ')}: ${allows}.`,
      severity,
    );
  }
}

function detectModules(found: DetectionBuilder, modules: RedisCapture['modules']) {
  const check = checks.vulnerableModule;
  if (!modules.assessed) return found.cannotAssess([check], modules.reason);
  const { rows, truncated } = modules.value;
  if (truncated) found.cannotAssess([check], `Only the first ${rows.length} modules were read.`);
  for (const { name, version } of rows) {
    const known = Object.hasOwn(moduleVulnerabilities, name) ? moduleVulnerabilities[name]! : [];
    const numbers = moduleNumbers(version);
    for (const vulnerability of known.filter(one => isVulnerable(one, numbers))) {
      const { ids, allows, severity } = vulnerability;
      const fact = `The module ${quoted(name, 60)} is ${numbers.join('.')}, which has ${ids.join(' and ')}: ${allows}.`;
      found.observe(check, `module ${name} ${ids[0]}`, fact, severity);
    }
  }
}

const includesFixes = (fixer: string) =>
  `The server was probably built by ${fixer}, whose releases include fixes without another version number.`;
