import type { Message } from '../message.ts';
import { linksFor } from './links.ts';
import type { Reader } from './reader.ts';
import { reasonFor } from './write-parts.ts';

/** Shows that messages arrive. */
export function writeTest(reader: Reader): Message {
  return {
    subject: `Test message from Parapet (${reader.organization.name})`,
    intro:
      reader.medium === 'mail'
        ? 'Notifications reach this address.'
        : `Notifications of ${reader.organization.name} reach this channel.`,
    sections: [],
    action: { text: 'Open Parapet', url: linksFor(reader).page('overview') },
    reason: reasonFor(reader),
  };
}

/** Proves that the reader has the mailbox. */
export function writeCode(code: string, reader: Reader): Message {
  return {
    subject: `${code} is your Parapet confirmation code`,
    intro: `Enter ${code} on the notifications page of ${reader.organization.name} to get notifications at this address. The code is valid for 30 minutes. If you did not request it, ignore this message.`,
    sections: [],
    action: { text: 'Open notification settings', url: linksFor(reader).page('settings/notifications') },
  };
}
