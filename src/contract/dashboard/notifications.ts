import { type Static, Type } from 'typebox';
import {
  choice,
  closed,
  form,
  NullableTimestamp,
  nameText,
  nullable,
  opaqueText,
  Timestamp,
  Uuid,
} from '../values.ts';
import { type Role, roles } from './session.ts';

/** What notifications are about, with the lowest role that gets them. */
const noticeKinds = {
  new_findings: 'member',
  scan_failed: 'member',
  source_failing: 'member',
  agent_silent: 'member',
  key_expiring: 'admin',
  attestation_ending: 'member',
  backup_old: 'owner',
} as const satisfies Readonly<Record<string, Role>>;
export type NoticeKind = keyof typeof noticeKinds;

/** The kinds that someone with this role gets, in the order of the catalog. */
export const kindsOf = (role: Role): NoticeKind[] =>
  (Object.keys(noticeKinds) as NoticeKind[]).filter(
    kind => roles.indexOf(role) >= roles.indexOf(noticeKinds[kind]),
  );

const kindNames = Object.keys(noticeKinds) as [NoticeKind, ...NoticeKind[]];
const kinds = Type.Array(choice(kindNames), { maxItems: kindNames.length, uniqueItems: true });
const severity = choice(
  ['critical', 'high', 'medium', 'low'] as const,
  'The lowest severity of new findings.',
);
export type NotifiedSeverity = Static<typeof severity>;
const digests = ['none', 'daily', 'weekly'] as const;
const digest = choice(digests);
export type Digest = Static<typeof digest>;

/** Bounded, since each view is evaluated for each message. */
const viewIds = Type.Array(Uuid, { maxItems: 20, uniqueItems: true });

const choices = { kinds, severity, digest };
export const SaveNotificationSettings = closed({ ...choices, view_ids: viewIds });
export type SaveNotificationSettings = Static<typeof SaveNotificationSettings>;

const minute = Type.Integer({ minimum: 0, maximum: 1439 });
const quietHours = closed(
  {
    from: minute,
    until: minute,
    except_critical: Type.Boolean({ description: 'New critical findings are sent at once all the same.' }),
  },
  { description: 'Minutes of the local day, from 0 to 1439. May span midnight.' },
);

/** An IANA time zone; the route refuses unknown ones. */
const timeZone = Type.String({
  maxLength: 64,
  ...form('^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,3}$', 'must be a time zone such as Europe/Berlin'),
});
export const SavePreferences = closed({ time_zone: timeZone, quiet_hours: nullable(quietHours) });
export type SavePreferences = Static<typeof SavePreferences>;

const sentStates = ['waiting', 'sending', 'sent', 'empty', 'failed'] as const;
const purposes = ['alert', 'digest', 'test', 'code'] as const;
export type MessagePurpose = (typeof purposes)[number];

/** A message to a person or a channel, without its text. */
export const SentMessage = closed({
  id: Uuid,
  purpose: choice(purposes),
  state: choice(sentStates, 'empty: there was nothing left to say when it was due.'),
  error: nullable(Type.String({ description: 'The reason of the last failed attempt.' })),
  created_at: Timestamp,
  sent_at: NullableTimestamp,
});
export type SentMessage = Static<typeof SentMessage>;
export const SentMessageEnvelope = closed({ message: SentMessage });

/** How notifications reach the signed-in person. */
export const Notifications = closed({
  mail: closed({
    configured: Type.Boolean({ description: 'The operator has set up a mail server.' }),
    address: Type.String(),
    confirmed: Type.Boolean(),
  }),
  /** Null until the person saves them for the first time. */
  settings: nullable(SaveNotificationSettings),
  defaults: SaveNotificationSettings,
  preferences: SavePreferences,
  next_digest_at: NullableTimestamp,
  messages: Type.Array(SentMessage, { description: 'The newest ones of the last 90 days.' }),
});
export type Notifications = Static<typeof Notifications>;

export const ConfirmAddress = closed({
  code: Type.String({ maxLength: 6, ...form('^[0-9]{6}$', 'must be the six digits from the message') }),
});
export type ConfirmAddress = Static<typeof ConfirmAddress>;

export const PreviewMessage = closed({ purpose: choice(['alert', 'digest'] as const) });
export type PreviewMessage = Static<typeof PreviewMessage>;
/** A message as it would be sent now. */
export const MessagePreview = closed({ subject: Type.String(), text: Type.String(), html: Type.String() });
export type MessagePreview = Static<typeof MessagePreview>;

const channelFormats = ['slack', 'teams', 'mattermost', 'google_chat', 'discord'] as const;
const format = choice(channelFormats);
export type ChannelFormat = Static<typeof format>;

/** Backups are those of the whole installation, which concern owners only. */
const ofChannels = kindsOf('admin') as [NoticeKind, ...NoticeKind[]];
const channelKinds = Type.Array(choice(ofChannels), { maxItems: ofChannels.length, uniqueItems: true });
const channelFields = { name: nameText(100), format, ...choices, kinds: channelKinds, time_zone: timeZone };
/** The URL is shown nowhere: it is what one needs to post there. */
const webhookUrl = opaqueText(2000, 'The URL of the incoming webhook.');
export const CreateChannel = closed({ ...channelFields, url: webhookUrl });
export type CreateChannel = Static<typeof CreateChannel>;
export const ChangeChannel = closed({
  ...channelFields,
  url: Type.Optional(webhookUrl),
});
export type ChangeChannel = Static<typeof ChangeChannel>;

export const Channel = closed({
  id: Uuid,
  ...channelFields,
  host: Type.String({ description: 'The host of the webhook’s URL.' }),
  created_at: Timestamp,
  next_digest_at: NullableTimestamp,
  last_message: nullable(SentMessage),
});
export type Channel = Static<typeof Channel>;
export const ChannelEnvelope = closed({ channel: Channel });
export const ChannelList = closed({ channels: Type.Array(Channel) });

const token = Type.String({ maxLength: 43, ...form('^[A-Za-z0-9_-]{43}$', 'must be the token of the link') });
export const Unsubscribe = closed({ token });
export const UnsubscribeParams = closed({ token });
export const Unsubscribed = closed({ organization: Type.String(), address: Type.String() });
export type Unsubscribed = Static<typeof Unsubscribed>;
