import type { Digest, NoticeKind, NotifiedSeverity } from '../../contract/dashboard/notifications.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { Recipient } from './outbox.ts';

/** What a person or channel wants now: it may have been turned off since a message began. */
export interface Choices {
  readonly kinds: readonly NoticeKind[];
  readonly severity: NotifiedSeverity;
  readonly digest: Digest;
}

export async function readChoices(session: TenantSession, { person, channel }: Recipient): Promise<Choices> {
  const [row] = await session.query<Choices>(
    person
      ? {
          text: 'select kinds, severity, digest from notification_settings where person_id = $1',
          values: [person.id],
        }
      : {
          text: 'select kinds, severity, digest from notification_channels where id = $1',
          values: [channel!.id],
        },
  );
  return row ?? { kinds: [], severity: 'critical', digest: 'none' };
}
