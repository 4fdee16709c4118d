import type { ShieldCapture, ShieldFirewall } from '../../../captures/shield.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { coreRuleSetReleases } from '../../lexicon/end-of-life/core-rule-set.ts';
import { isOutdated, standingOf } from '../../lexicon/end-of-life/table.ts';
import { durationOf, placeOf } from '../firewall-place.ts';
import { firewallChecks as checks } from './checks.ts';

const problems = {
  log_missing: 'There is no log file at the configured path.',
  api_unreachable: 'The local API of CrowdSec does not answer.',
  api_refused: 'The local API of CrowdSec refuses the login or key.',
} as const;

/** Whether the firewalls of a source report, block, and have current rules. */
export const shieldFirewallDetector: Detector<ShieldCapture> = {
  name: 'shield.firewall',
  surface: 'shield',
  checks: Object.values(checks),
  detect: detecting((found, { firewalls, collected_at }) => {
    if (firewalls.length === 0) {
      found.cannotAssess(Object.values(checks), 'No firewall has reported a request for this website yet.');
    }
    for (const firewall of firewalls) {
      const place = placeOf(firewall);
      if (firewall.silent_seconds !== null) {
        const seen = `The last report came ${durationOf(firewall.silent_seconds)} ago; the forwarder reports every ${durationOf(firewall.interval_seconds)}.`;
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
  const leave = (reason: string) => found.cannotAssess([checks.outdated], reason);
  if (!rule_set?.version) return leave('No record states the version of the rules.');
  const { name, version } = rule_set;
  if (!/^owasp_crs$/i.test(name)) return leave(`Releases of the rules ${quoted(name, 40)} are not known.`);
  const { as_of } = coreRuleSetReleases;
  const standing = standingOf(coreRuleSetReleases, version, on);
  if (!standing) return leave(`The list of versions from ${as_of} does not contain ${quoted(version, 40)}.`);
  const { series, ended, behind } = standing;
  const rules = `The firewall uses OWASP CRS ${quoted(version, 40)}`;
  if (ended) {
    const fact = `${rules}; the project’s support for ${series.series} ended by ${series.end_of_life}.`;
    found.observe(checks.outdated, place, fact);
  } else if (behind)
    found.observe(checks.outdated, place, `${rules}; ${series.latest} was available on ${as_of}.`, 'low');
  else if (isOutdated(coreRuleSetReleases, on)) leave(`The list of versions is from ${as_of}.`);
}
