import type { PostgresCapture, PostgresHbaRule } from '../../captures/postgres.ts';
import type { Severity } from '../../contract/severity.ts';
import type { DetectionBuilder } from '../detection.ts';
import type { Check } from '../detector.ts';
import { byReach, isLoopback, type Reach } from '../reach.ts';
import { isLocal, mayAdmitLoopback } from './hba-address.ts';
import { providerOf } from './provider.ts';
import { observeEach, settingOf } from './reading.ts';

/** With an empty value, the server listens on its Unix socket only. */
export function listensTo(listen: string): 'network' | 'loopback' | 'none' {
  const addresses = listen
    .split(',')
    .map(address => address.trim().toLowerCase())
    .filter(Boolean);
  if (addresses.length === 0) return 'none';
  return addresses.every(isLoopback) ? 'loopback' : 'network';
}

/**
 * Undefined if the setting was not read, or a managed service may pass connections on to the server. A connection from another machine
 * shows that something forwards to it.
 */
export function reachOf(capture: PostgresCapture): Reach {
  if (capture.over === 'network') return 'network';
  const listen = settingOf(capture, 'listen_addresses');
  return listen.assessed && providerOf(capture) === undefined ? listensTo(listen.value) : undefined;
}

/** A rule of pg_hba.conf, and what is wrong with it. */
export interface RulePlace {
  readonly locator: string;
  readonly seen: string;
  readonly severity?: Severity;
}

/**
 * A rule of pg_hba.conf with a lower severity if no client that it is for can reach the server.
 *
 * @param ofMachine the most that it counts while it may admit clients on the server’s own machine
 */
export function ruleByReach(
  check: Check,
  reach: Reach,
  rule: PostgresHbaRule,
  place: RulePlace,
  ofMachine: Severity = 'low',
): RulePlace {
  if (rule.type === 'local' || (reach === 'loopback' && isLocal(rule))) return place;
  const admitsLoopback = reach === 'loopback' && mayAdmitLoopback(rule);
  return { locator: place.locator, ...byReach(check, reach, place, admitsLoopback ? ofMachine : 'low') };
}

export type JudgedRule = readonly [PostgresHbaRule, RulePlace];

/** Observes rules with the severity that the server's reach, or the service that manages it, leaves. */
export function ruleObserver(
  found: DetectionBuilder,
  capture: PostgresCapture,
): (check: Check, places: readonly JudgedRule[], ofMachine?: Severity) => void {
  const provider = providerOf(capture)?.name;
  const reach = reachOf(capture);
  return (check, places, ofMachine) =>
    observeEach(
      found,
      check,
      places.map(([rule, place]) =>
        provider === undefined
          ? ruleByReach(check, reach, rule, place, ofMachine)
          : ofService(place, provider),
      ),
    );
}

/** A managed service writes the file and has its own network rules: reported as information. */
export function ofService(place: RulePlace, provider: string): RulePlace {
  const seen = `${place.seen} ${provider} manages this file: its network rules apply.`;
  return { ...place, seen, severity: 'info' };
}
