import type { ShieldForwarder, ShieldIgnored } from '../../../src/contract/dashboard/shield.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { counted } from '../../formats/numbers.ts';

const reasons: Readonly<Record<ShieldIgnored, string>> = {
  host_unknown: 'no source has their host',
  shield_off: 'Shield was off',
  too_old: 'they were too old',
  in_future: 'their time was in the future',
  too_many: 'they were too many to read',
  too_many_events: 'more were waiting than are kept for a key',
  processing_failed: 'processing them failed: see the log of the service',
  key_revoked: 'their key was revoked',
};

/** Another version may have stored others. */
const reasonOf = (reason: string | null) => reasons[reason as ShieldIgnored] ?? 'of an unknown reason';

/** What forwarders dropped, and what changed nothing. */
export function NotCounted({ forwarders }: { readonly forwarders: readonly ShieldForwarder[] }) {
  return forwarders
    .filter(({ dropped, ignored }) => dropped + ignored > 0)
    .map(({ id, name, system, dropped, ignored, ignored_reason }) => (
      <Dimmed key={id} className="tabular">
        Not counted of {name} ({system.name}):{' '}
        {[
          dropped > 0 &&
            `${counted(dropped, 'event')} dropped because the spool or the disk was full, or they were too old`,
          ignored > 0 && `${ignored.toLocaleString()} ignored, the last because ${reasonOf(ignored_reason)}`,
        ]
          .filter(Boolean)
          .join('; ')}
        .
      </Dimmed>
    ));
}
