import type { Ignored } from './probes.ts';

/** Cause and fix for each reason, in one or two sentences. */
const reasons: Readonly<Record<Ignored, string>> = {
  source_unknown:
    'It named a source that its system does not have. Check the setting “source” in the configuration of the probe.',
  source_not_probe_mode:
    'Its source is not in probe mode, so Parapet connects to it directly. Add the host again in probe mode.',
  source_not_authorized:
    'Scans of its source are not authorized. Accept the risk statement and authorize scans.',
  detectors_unknown: 'This service does not know its detectors. Update the service or the probe.',
  result_invalid: 'It named checks that its detectors do not have. Update the service or the probe.',
  assessment_of_other:
    'Another probe had already sent an assessment with the same ID. Probes create a new ID for each: check what sends these events, and rotate the key.',
  too_many_assessments: 'More assessments arrived than one per minute and source. Assess less often.',
  too_many_events:
    'More events were waiting than are kept for a key. Check what sends them, and rotate the key.',
  processing_failed:
    'Processing it failed repeatedly, although it is valid. The log of the service has the reason.',
  key_revoked: 'Its key was revoked before they were processed.',
};

/** Returns an unknown reason, such as one of another version, unchanged. */
export function describeIgnored(reason: string): string {
  return Object.hasOwn(reasons, reason) ? reasons[reason as Ignored] : reason;
}
