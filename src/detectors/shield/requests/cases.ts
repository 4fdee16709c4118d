import type { BlockedRequests, ShieldCapture } from '../../../captures/shield.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { firewall, shieldCapture } from '../hardened-capture.ts';

const none = [0, 0, 0];
const attacked = (
  attack: ShieldCapture['hours'][number]['attack'],
  blocked: number[],
  detected = none,
): Partial<ShieldCapture> => ({ hours: [{ attack, blocked, detected }] });
const many = [101, 150, 101];

/** Authenticated requests that rule 942100 blocked, from this many networks. */
const users = (networks: number, change: (index: number) => Partial<BlockedRequests> = () => ({})) =>
  Array.from({ length: networks }, (_, index) => ({
    rule: '942100',
    path: '/checkout',
    network: `192.0.${index}.0/24`,
    blocked: 4,
    authenticated: 4,
    ...change(index),
  }));
const blocking = (requests: BlockedRequests[], without_detail = 0) =>
  shieldCapture({ blocks: { without_detail, requests } });
const firing = [{ check: 'shield.rule_blocks_users', locator: 'rule 942100' }];

export const cases: readonly GoldenCase<ShieldCapture>[] = [
  { name: 'no requests that match rules', capture: shieldCapture(), expected: [] },
  {
    name: 'blocked attacks for three hours',
    capture: shieldCapture(attacked('sqli', many)),
    expected: [{ check: 'shield.attack_sustained', locator: 'attack sqli', severity: 'medium' }],
  },
  {
    name: 'attacks that reach the website',
    capture: shieldCapture(attacked('sqli', none, many)),
    expected: [{ check: 'shield.attack_sustained', locator: 'attack sqli', severity: 'high' }],
  },
  {
    name: 'scanners',
    capture: shieldCapture(attacked('scanner', none, many)),
    expected: [{ check: 'shield.attack_sustained', locator: 'attack scanner', severity: 'low' }],
  },
  {
    name: 'blocked and detected together exceed the threshold',
    capture: shieldCapture(attacked('xss', [60, 60, 60], [60, 60, 60])),
    expected: [{ check: 'shield.attack_sustained', locator: 'attack xss', severity: 'medium' }],
  },
  {
    name: 'one hour at the threshold',
    capture: shieldCapture(attacked('sqli', [900, 100, 900])),
    expected: [],
  },
  {
    name: 'an attack, and a firewall that does not report',
    capture: shieldCapture({ ...attacked('sqli', many), firewalls: [firewall({ silent_seconds: 600 })] }),
    expected: ['shield.attack_sustained'],
    notAssessed: ['shield.attack_sustained'],
  },
  {
    name: 'a log that cannot be read',
    capture: shieldCapture({ firewalls: [firewall({ problem: 'log_missing' })] }),
    expected: [],
    notAssessed: ['shield.attack_sustained'],
  },
  {
    name: 'on for an hour',
    capture: shieldCapture({ on_seconds: 3_600 }),
    expected: [],
    notAssessed: ['shield.attack_sustained'],
  },
  {
    name: 'no firewall has reported',
    capture: shieldCapture({ firewalls: [] }),
    expected: [],
    notAssessed: ['shield.attack_sustained', 'shield.rule_blocks_users'],
  },
  { name: 'a rule blocks users', capture: blocking(users(5)), expected: firing },
  { name: 'too few networks', capture: blocking(users(4, () => ({ authenticated: 9 }))), expected: [] },
  { name: 'too few requests', capture: blocking(users(5, () => ({ authenticated: 3 }))), expected: [] },
  { name: 'without sessions', capture: blocking(users(9, () => ({ authenticated: 0 }))), expected: [] },
  { name: 'many paths', capture: blocking(users(9, index => ({ path: `/${index}` }))), expected: [] },
  {
    name: 'networks that other rules block too',
    capture: blocking([...users(6), ...users(2, () => ({ rule: '930100', authenticated: 0 }))]),
    expected: [],
  },
  {
    name: 'only CrowdSec has reported',
    capture: shieldCapture({
      firewalls: [firewall({ engine: 'crowdsec', mode: 'unknown', rule_set: null })],
    }),
    expected: [],
    notAssessed: ['shield.attack_sustained', 'shield.rule_blocks_users'],
  },
  {
    name: 'requests without detail',
    capture: blocking(users(9), 1),
    expected: [],
    notAssessed: ['shield.rule_blocks_users'],
  },
];
