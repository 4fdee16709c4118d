import type { SourceReport } from '../../../src/contract/dashboard/probes.ts';
import { RelativeTime } from '../../components/relative-time.tsx';

/** When the probe assesses a failing target again: at the latest after its interval. */
export function NextTry({ checked_at, every_seconds }: Pick<SourceReport, 'checked_at' | 'every_seconds'>) {
  const at = Date.parse(checked_at ?? '') + every_seconds * 1000;
  if (!(at - Date.now() > 60_000)) return 'The probe tries again soon.';
  return (
    <>
      The probe tries again <RelativeTime at={new Date(at).toISOString()} />, or at once when you restart it.
    </>
  );
}
