import type { ProbeCapture } from '../../../captures/probe.ts';
import { describeSilence } from '../../describe-silence.ts';
import { detecting } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { presenceChecks as checks } from './checks.ts';

/** Whether the probe of a source reports. */
export const probePresenceDetector: Detector<ProbeCapture> = {
  name: 'probe.presence',
  surface: 'probe',
  checks: Object.values(checks),
  detect: detecting((found, { probe, collected_at, interval_seconds, omits_source, silent_seconds }) => {
    if (silent_seconds === null) return;
    const { lastReport, interval } = describeSilence(collected_at, silent_seconds, interval_seconds);
    const seen = omits_source
      ? `The probe reports, but has not named this source since ${lastReport}.`
      : `The last report came at ${lastReport}; the probe reports every ${interval}.`;
    found.observe(checks.silent, `probe ${probe}`, seen);
  }),
};
