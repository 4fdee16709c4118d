import type { TenantStore } from '../../database/tenant-store.ts';
import type { Message } from '../../messages/message.ts';
import type { Reader } from '../../messages/write/reader.ts';
import { writeAlert } from '../../messages/write/write-alert.ts';
import { writeDigest } from '../../messages/write/write-digest.ts';
import { writeCode, writeTest } from '../../messages/write/write-short.ts';
import { readAlertFacts } from '../../resources/notifications/alert-facts.ts';
import { readChoices } from '../../resources/notifications/choices.ts';
import { readDigestFacts } from '../../resources/notifications/digest-facts.ts';
import type { ClaimedMessage } from '../../resources/notifications/outbox.ts';
import { makeCode } from '../../resources/notifications/preferences.ts';
import type { WorkerServices } from '../services.ts';

/** Writes a message from what is true now. Null if there is nothing left to say. */
export async function composeMessage(
  { storage, messages }: Pick<WorkerServices, 'storage' | 'messages'>,
  store: TenantStore,
  message: ClaimedMessage,
): Promise<Message | null> {
  const { purpose, organization, person, channel, periodFrom } = message;
  const reader: Reader = {
    organization,
    dashboard: messages.dashboard,
    timeZone: (person ?? channel)!.timeZone,
    medium: person ? 'mail' : 'chat',
  };
  switch (purpose) {
    case 'alert':
      return writeAlert(await store.read(session => readAlertFacts(session, message)), reader);
    case 'digest':
      return store.read(async session => {
        if ((await readChoices(session, message)).digest === 'none') return null;
        const period = { from: periodFrom!, until: message.createdAt };
        return writeDigest(await readDigestFacts(session, period, person?.id ?? null), reader);
      });
    case 'test':
      return writeTest(reader);
    case 'code':
      return writeCode(await makeCode(storage.people, person!.id), reader);
  }
}
