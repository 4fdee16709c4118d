import type { ShieldSource } from '../../../src/contract/dashboard/shield.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

/** The state of Shield in a few words. */
export function ShieldState({ state, silent_since }: Pick<ShieldSource, 'state' | 'silent_since'>) {
  if (state === 'silent' && silent_since) return <Silent lastReport={silent_since} />;
  if (state === 'waiting') return <StatusBadge status="waiting" label="On, waiting for requests" />;
  if (state === 'crowdsec') return <StatusBadge status="on" label="On, CrowdSec only" />;
  if (state === 'crowdsec_unreadable') return <StatusBadge status="warn" label="On, CrowdSec unreadable" />;
  if (state === 'log_unreadable') return <StatusBadge status="warn" label="On, log unreadable" />;
  return <StatusBadge status={state} />;
}

/** A forwarder, or all of a website, no longer report. */
export function Silent({ lastReport }: { readonly lastReport: string }) {
  return (
    <>
      <StatusBadge status="silent" />, last report <RelativeTime at={lastReport} />
    </>
  );
}
