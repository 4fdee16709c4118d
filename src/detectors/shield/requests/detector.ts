import type { ShieldCapture } from '../../../captures/shield.ts';
import type { AttackClass } from '../../../contract/shield-events.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { requestChecks as checks } from './checks.ts';

/** More requests of a class than this, in each of three full hours, are a sustained attack. */
const attackPerHour = 100;
const attackHours = 3;

/** Classes of requests that only search for weaknesses or are malformed: they exploit nothing by themselves. */
const weakClasses: ReadonlySet<string> = new Set([
  ...([
    'protocol',
    'method',
    'multipart',
    'scanner',
    'reputation',
    'disclosure',
    'other',
  ] satisfies AttackClass[]),
]);

/** A rule seems to block users if it alone blocks authenticated requests from this many networks on few paths. */
const users = { networks: 5, requests: 20, paths: 3 } as const;

/** Whether the requests that matched rules are an attack that goes on, or users. */
export const shieldRequestsDetector: Detector<ShieldCapture> = {
  name: 'shield.requests',
  surface: 'shield',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    // CrowdSec reports no requests.
    const firewalls = capture.firewalls.filter(({ engine }) => engine !== 'crowdsec');
    assessAttacks(found, { ...capture, firewalls });
    assessUsers(found, { ...capture, firewalls });
  }),
};

function assessAttacks(found: DetectionBuilder, { firewalls, hours, on_seconds }: ShieldCapture): void {
  for (const { attack, blocked, detected } of hours) {
    const all = blocked.map((count, hour) => count + detected[hour]!);
    if (all.length < attackHours || !all.every(count => count > attackPerHour)) continue;
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    const [stopped, passed] = [sum(blocked), sum(detected)];
    const seen = `In each of the last ${attackHours} full hours, more than ${attackPerHour} requests of class ${attack} matched rules: ${stopped} were blocked, and ${passed} were answered by the website.`;
    const hasPassed = detected.every(count => count > attackPerHour);
    const severity = weakClasses.has(attack) ? 'low' : hasPassed ? 'high' : 'medium';
    found.observe(checks.sustained, `attack ${attack}`, seen, severity);
  }
  if (firewalls.length === 0) {
    found.cannotAssess([checks.sustained], 'No firewall has reported a request for this website yet.');
  } else if (firewalls.some(({ silent_seconds, problem }) => silent_seconds !== null || problem !== null)) {
    found.cannotAssess([checks.sustained], 'A firewall of this website does not report everything.');
  } else if (on_seconds < (attackHours + 1) * 3_600) {
    found.cannotAssess([checks.sustained], `Shield has not been on for ${attackHours} full hours yet.`);
  }
}

function assessUsers(found: DetectionBuilder, { firewalls, blocks }: ShieldCapture): void {
  const check = [checks.blocksUsers];
  if (firewalls.length === 0) {
    found.cannotAssess(check, 'No firewall has reported a request for this website yet.');
    return;
  }
  if (blocks.without_detail > 0) {
    const reason =
      'Some blocked requests are not known by rule and network: others may be from the same networks.';
    found.cannotAssess(check, reason);
    return;
  }
  const rulesOf = new Map<string, Set<string>>();
  for (const { network, rule } of blocks.requests) {
    rulesOf.set(network, (rulesOf.get(network) ?? new Set()).add(rule));
  }
  const likely = blocks.requests.filter(
    entry => entry.authenticated > 0 && rulesOf.get(entry.network)!.size === 1,
  );
  for (const rule of new Set(likely.map(entry => entry.rule))) {
    const entries = likely.filter(entry => entry.rule === rule);
    const networks = new Set(entries.map(({ network }) => network)).size;
    const paths = [...new Set(entries.map(({ path }) => path))].sort();
    const count = entries.reduce((sum, { authenticated }) => sum + authenticated, 0);
    if (networks < users.networks || count < users.requests || paths.length > users.paths) continue;
    const places = paths.map(path => quoted(path, 80)).join(', ');
    const seen = `Since yesterday, the rule blocked ${count} requests with a session from ${networks} networks on ${places}. No other rule blocked these networks.`;
    found.observe(checks.blocksUsers, `rule ${rule}`, seen);
  }
}
