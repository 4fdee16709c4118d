import type { Mutant } from '../mutant.ts';

const sent = (test: string) => ({ file: 'test/worker/notifications.test.ts', test });
const posted = (test: string) => ({ file: 'src/surfaces/webhook/post-message.test.ts', test });
const answered = (test: string) => ({ file: 'test/dashboard/notifications.test.ts', test });

/** Who gets messages, what they contain, and where they are posted. */
export const notificationMutants: readonly Mutant[] = [
  {
    name: 'Mail is sent to an address that was not confirmed',
    file: 'src/worker/tasks/send-messages.ts',
    search: "if (!confirmed && purpose !== 'code')",
    replacement: 'if (false)',
    killedBy: sent('tells nobody who has left, has no confirmed address, or does not want to know'),
  },
  {
    name: 'Someone who was an admin gets what only admins may know',
    file: 'src/resources/notifications/alert-facts.ts',
    search: 'choice.kinds.filter(kind => kindsOf(person.role).includes(kind))',
    replacement: '(void kindsOf, choice.kinds)',
    killedBy: sent('sends nothing after someone has unsubscribed, turned a kind off or lost a role'),
  },
  {
    name: 'Someone who returns gets mail as before',
    file: 'migrations/0066_notifications.sql',
    search: 'delete from notification_settings where person_id = new.person_id;',
    replacement: '',
    killedBy: sent('begins without notifications for someone who returns'),
  },
  {
    name: 'Mentions hide a critical finding',
    file: 'src/resources/notifications/alert-facts.ts',
    search: 'row_number() over (partition by n.kind order by n.created_at desc)',
    replacement: 'row_number() over (order by n.kind, n.created_at desc)',
    killedBy: sent('hides no critical finding behind many mentions, also of deleted comments'),
  },
  {
    name: 'A webhook is posted without TLS to a public address',
    file: 'src/surfaces/webhook/post-message.ts',
    search: 'if (!pinned.addresses.every(({ isAllowlisted }) => isAllowlisted))',
    replacement: 'if (false)',
    killedBy: posted(
      'posts to no certificate that is not trusted, no private address, and without TLS only where the operator allows it',
    ),
  },
  {
    name: 'A webhook is posted to a server whose certificate is not trusted',
    file: 'src/surfaces/webhook/post-message.ts',
    search: 'rejectUnauthorized: true',
    replacement: 'rejectUnauthorized: false',
    killedBy: posted(
      'posts to no certificate that is not trusted, no private address, and without TLS only where the operator allows it',
    ),
  },
  {
    name: 'A confirmation code can be tried any number of times',
    file: 'src/resources/notifications/preferences.ts',
    search: 'and code_tries < ${mostTries}',
    replacement: 'and code_tries < 1000 + ${mostTries}',
    killedBy: answered('confirms an address with its code once, after at most five tries'),
  },
  {
    name: 'A code confirms an address to which it was not sent',
    file: 'src/resources/notifications/preferences.ts',
    search: `\n        and lower(f.code_email collate "C") = lower(p.email collate "C")`,
    replacement: '',
    killedBy: answered(
      'confirms no address with the code of another person, an earlier address or an hour ago',
    ),
  },
  {
    name: 'Mail contains names of others as HTML',
    file: 'src/messages/mail/as-html.ts',
    search: 'text.replaceAll(/[&<>"\']/g, character => entities[character]!)',
    replacement: 'text',
    killedBy: sent('writes names and places of others as text'),
  },
];
