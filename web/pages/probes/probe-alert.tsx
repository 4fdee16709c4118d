import { Alert } from '@mantine/core';
import type { SourceReport } from '../../../src/contract/dashboard/probes.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { probeState } from './probe-state.ts';

/** Why the probe does not report, and what to do. */
export function ProbeAlert({
  probe,
}: {
  readonly probe: Pick<SourceReport['probe'], 'silent_since' | 'last_seen_at' | 'key'>;
}) {
  const state = probeState(probe);
  if (state === 'reporting') return null;
  return (
    <Alert
      color="red"
      variant="light"
      title={state === 'silent' ? 'The probe is silent' : statusLabel(state)}
    >
      {state === 'silent' ? (
        <>
          Its last report came <RelativeTime at={probe.last_seen_at} />. Check on its host that it runs, and
          run <code>parapet-probe check</code> there.
        </>
      ) : (
        <>
          The service refuses its reports. The last one came <RelativeTime at={probe.last_seen_at} />. Rotate
          its key, or install the new one on its host if you already have.
        </>
      )}
    </Alert>
  );
}
