import type { ProbeCapture } from '../../../captures/probe.ts';
import { detecting } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { presenceChecks as checks } from './checks.ts';

/** Whether the probe of a source reports. */
export const probePresenceDetector: Detector<ProbeCapture> = {
  name: 'probe.presence',
  surface: 'probe',
  checks: Object.values(checks),
  detect: detecting((found, { probe, interval_seconds, omits_source, silent_seconds }) => {
    if (silent_seconds === null) return;
    const ago = `${durationOf(silent_seconds)} ago`;
    const seen = omits_source
      ? `The probe reports, but no longer on this source: its last report on it came ${ago}.`
      : `The last report came ${ago}; the probe reports every ${durationOf(interval_seconds)}.`;
    found.observe(checks.silent, `probe ${probe}`, seen);
  }),
};

function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
