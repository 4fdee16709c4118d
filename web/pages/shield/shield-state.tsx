import type { ShieldSource } from '../../../src/contract/dashboard/shield.ts';
import { RelativeTime } from '../../components/relative-time.tsx';

/** The state of Shield in a few words. */
export function ShieldState({ state, silent_since }: Pick<ShieldSource, 'state' | 'silent_since'>) {
  if (state === 'silent' && silent_since) {
    return (
      <>
        Silent since <RelativeTime at={silent_since} />
      </>
    );
  }
  return {
    off: 'Off',
    on: 'On',
    waiting: 'On, no requests yet',
    crowdsec: 'On, CrowdSec only',
    silent: 'Silent',
  }[state];
}
