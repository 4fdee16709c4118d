import type { ShieldCapture, ShieldFirewall } from '../../../captures/shield.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { firewall, shieldCapture } from '../hardened-capture.ts';

const place = 'modsecurity3 of forwarder edge';
const having = (...changes: Partial<ShieldFirewall>[]): ShieldCapture =>
  shieldCapture({ firewalls: changes.map(firewall) });
const rules = (version: string | null, name = 'OWASP_CRS') => having({ rule_set: { name, version } });

export const cases: readonly GoldenCase<ShieldCapture>[] = [
  { name: 'reports, blocks, and has current rules', capture: shieldCapture(), expected: [] },
  {
    name: 'no firewall has reported',
    capture: having(),
    expected: [],
    notAssessed: [
      'shield.detects_only',
      'shield.log_unreadable',
      'shield.rule_set_outdated',
      'shield.silent',
    ],
  },
  {
    name: 'silent',
    capture: having({ silent_seconds: 240 }),
    expected: [{ check: 'shield.silent', locator: place }],
    notAssessed: ['shield.log_unreadable'],
  },
  {
    name: 'silent for a day, with another firewall that reports',
    capture: having({ silent_seconds: 86_400 }, { forwarder: 'second' }),
    expected: [{ check: 'shield.silent', locator: place }],
    notAssessed: ['shield.log_unreadable'],
  },
  {
    name: 'log missing',
    capture: having({ problem: 'log_missing' }),
    expected: [{ check: 'shield.log_unreadable', locator: place }],
  },
  {
    name: 'log not understood',
    capture: having({ problem: 'log_not_understood' }),
    expected: [{ check: 'shield.log_unreadable', locator: place }],
  },
  {
    name: 'CrowdSec refuses',
    capture: having({}, { engine: 'crowdsec', problem: 'api_refused', mode: 'unknown', rule_set: null }),
    expected: [{ check: 'shield.log_unreadable', locator: 'crowdsec of forwarder edge' }],
  },
  {
    name: 'only CrowdSec, which reports no requests',
    capture: having({ engine: 'crowdsec', mode: 'unknown', rule_set: null }),
    expected: [],
    notAssessed: ['shield.detects_only', 'shield.rule_set_outdated'],
  },
  {
    name: 'only CrowdSec, silent',
    capture: having({ engine: 'crowdsec', mode: 'unknown', rule_set: null, silent_seconds: 240 }),
    expected: [{ check: 'shield.silent', locator: 'crowdsec of forwarder edge' }],
    notAssessed: ['shield.detects_only', 'shield.log_unreadable', 'shield.rule_set_outdated'],
  },
  {
    name: 'detects only',
    capture: having({ mode: 'detect_only' }),
    expected: [{ check: 'shield.detects_only', locator: place }],
  },
  {
    name: 'off',
    capture: having({ mode: 'off' }),
    expected: [{ check: 'shield.detects_only', locator: place }],
  },
  {
    name: 'mode unknown',
    capture: having({ mode: 'unknown' }),
    expected: [],
    notAssessed: ['shield.detects_only'],
  },
  {
    name: 'rules without support',
    capture: rules('3.3.4'),
    expected: [{ check: 'shield.rule_set_outdated', locator: place }],
  },
  {
    name: 'rules without the newest fixes',
    capture: rules('4.25.0'),
    expected: [{ check: 'shield.rule_set_outdated', locator: place, severity: 'low' }],
  },
  { name: 'rules of a long-term release', capture: rules('4.25.1'), expected: [] },
  ...[rules('4.99.0'), rules(null), rules('1.0', 'comodo'), having({ rule_set: null })].map(
    (capture, index) => ({
      name: `rules of an unknown version, ${index}`,
      capture,
      expected: [],
      notAssessed: ['shield.rule_set_outdated'],
    }),
  ),
  {
    name: 'an old list of versions',
    capture: { ...rules('4.28.0'), collected_at: '2027-08-01T00:00:00.000Z' },
    expected: [],
    notAssessed: ['shield.rule_set_outdated'],
  },
];
