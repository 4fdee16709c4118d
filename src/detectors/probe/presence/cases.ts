import type { ProbeCapture } from '../../../captures/probe.ts';
import type { GoldenCase } from '../../golden-case.ts';

const probe = {
  probe: 'office',
  collected_at: '2026-06-01T00:00:00.000+00:00',
  interval_seconds: 60,
  omits_source: false,
};

export const cases: readonly GoldenCase<ProbeCapture>[] = [
  { name: 'reports', capture: { ...probe, silent_seconds: null }, expected: [] },
  {
    name: 'silent for minutes',
    capture: { ...probe, silent_seconds: 240 },
    expected: [{ check: 'probe.silent', locator: 'probe office' }],
  },
  {
    name: 'silent for a day',
    capture: { ...probe, silent_seconds: 86_400 },
    expected: [{ check: 'probe.silent', locator: 'probe office' }],
  },
  {
    name: 'no longer names the source',
    capture: { ...probe, omits_source: true, silent_seconds: 360 },
    expected: [{ check: 'probe.silent', locator: 'probe office' }],
  },
];
