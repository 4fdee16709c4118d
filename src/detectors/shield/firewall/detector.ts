import type { ShieldCapture, ShieldFirewall } from '../../../captures/shield.ts';
import { describeSilence } from '../../describe-silence.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { coreRuleSetReleases } from '../../lexicon/end-of-life/core-rule-set.ts';
import { isOutdated, standingOf } from '../../lexicon/end-of-life/table.ts';
import { firewallChecks as checks } from './checks.ts';

const problems = {
  log_missing: 'The log file at the configured path is missing or cannot be read.',
  log_not_understood: 'Most of the last records of the log were not understood.',
  api_unreachable: 'The local API of CrowdSec does not answer.',
  api_refused: 'The local API of CrowdSec refuses the login or key, or the forwarder cannot read them.',
} as const;

const noRequests = 'No firewall has reported a request for this website yet.';

/** Whether the firewalls of a source report, block, and have current rules. */
export const shieldFirewallDetector: Detector<ShieldCapture> = {
  name: 'shield.firewall',
  surface: 'shield',
  checks: Object.values(checks),
  detect: detecting((found, { firewalls, collected_at }) => {
    if (firewalls.length === 0) {
      found.cannotAssess(Object.values(checks), noRequests);
    } else if (firewalls.every(({ engine }) => engine === 'crowdsec')) {
      found.cannotAssess([checks.detectsOnly, checks.outdated], noRequests);
    }
    for (const firewall of firewalls) {
      const place = placeOf(firewall);
      if (firewall.silent_seconds !== null) {
        const { silent_seconds, interval_seconds } = firewall;
        const { lastReport, interval } = describeSilence(collected_at, silent_seconds, interval_seconds);
        const seen = `The last report came at ${lastReport}; the forwarder reports every ${interval}.`;
        found.observe(checks.silent, place, seen);
        found.cannotAssess([checks.unreadable], `The forwarder ${firewall.forwarder} does not report.`);
      } else if (firewall.problem !== null)
        found.observe(checks.unreadable, place, problems[firewall.problem]);
      // CrowdSec has neither a mode nor rules of requests.
      if (firewall.engine === 'crowdsec') continue;
      assessMode(found, firewall, place);
      assessRules(found, firewall, place, collected_at);
    }
  }),
};

function assessMode(found: DetectionBuilder, { mode }: ShieldFirewall, place: string): void {
  if (mode === 'unknown')
    found.cannotAssess([checks.detectsOnly], 'No record states whether the firewall blocks.');
  else if (mode === 'detect_only') {
    found.observe(checks.detectsOnly, place, 'The last record that was read states the mode DetectionOnly.');
  } else if (mode === 'off') {
    found.observe(checks.detectsOnly, place, 'The last record that was read states that the rules are off.');
  }
}

function assessRules(found: DetectionBuilder, { rule_set }: ShieldFirewall, place: string, on: string): void {
  const reason = whyUnknown(rule_set, on);
  if (reason !== undefined || !rule_set?.version) {
    found.cannotAssess([checks.outdated], reason ?? '');
    return;
  }
  const { series, ended, behind } = standingOf(coreRuleSetReleases, rule_set.version, on)!;
  const rules = `The firewall uses OWASP CRS ${quoted(rule_set.version, 40)}`;
  if (ended) {
    const fact = `${rules}; the project’s support for ${series.series} ended by ${series.end_of_life}.`;
    found.observe(checks.outdated, place, fact);
  } else if (behind) {
    const fact = `${rules}; ${series.latest} was available on ${coreRuleSetReleases.as_of}.`;
    found.observe(checks.outdated, place, fact, 'low');
  } else if (isOutdated(coreRuleSetReleases, on)) {
    found.cannotAssess([checks.outdated], `The list of versions is from ${coreRuleSetReleases.as_of}.`);
  }
}

/** Why the rules cannot be compared with releases; undefined if they can. */
function whyUnknown(rules: ShieldFirewall['rule_set'], on: string): string | undefined {
  if (!rules?.version) return 'No record states the version of the rules.';
  if (!/^owasp_crs$/i.test(rules.name))
    return `Releases of the rules ${quoted(rules.name, 40)} are not known.`;
  if (standingOf(coreRuleSetReleases, rules.version, on)) return undefined;
  return `The list of versions from ${coreRuleSetReleases.as_of} does not contain ${quoted(rules.version, 40)}.`;
}

/** The locator of a firewall. */
function placeOf({ engine, forwarder }: Pick<ShieldFirewall, 'engine' | 'forwarder'>): string {
  return `${engine} of forwarder ${forwarder}`;
}
