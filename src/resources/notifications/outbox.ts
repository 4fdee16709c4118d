import type { ChannelFormat, MessagePurpose, SentMessage } from '../../contract/dashboard/notifications.ts';
import type { Role } from '../../contract/dashboard/session.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { type QuietHours, quietMinutesLeft } from '../../domain/quiet-hours.ts';
import type { Envelope } from '../credentials/envelope.ts';
import { preferencesOf, type StoredPreferences } from './preferences.ts';

/** A message that this worker sends now. */
export interface ClaimedMessage extends Recipient {
  readonly id: string;
  readonly purpose: MessagePurpose;
  readonly attempts: number;
  readonly periodFrom: string | null;
  readonly createdAt: string;
  readonly organization: { readonly id: string; readonly name: string };
}

/** Who gets a message; one of the two is null. */
export interface Recipient {
  readonly person: RecipientPerson | null;
  readonly channel: RecipientChannel | null;
}

export interface RecipientPerson {
  readonly id: string;
  readonly email: string;
  readonly confirmed: boolean;
  readonly role: Role;
  readonly timeZone: string;
  readonly quietHours: QuietHours | null;
}

export interface RecipientChannel extends Envelope {
  readonly id: string;
  readonly format: ChannelFormat;
  readonly timeZone: string;
}

interface DueMessage extends Omit<ClaimedMessage, 'organization' | 'person' | 'channel'> {
  readonly personId: string | null;
  readonly channelId: string | null;
  /** Seconds until the next alert may be sent to the recipient. */
  readonly pauseLeft: number;
  readonly isCritical: boolean;
}

/** Between two alerts to a person or channel: what happens meanwhile is in the next one. At most twelve an hour. */
const pauseSeconds = 300;

/** A worker that has not sent the message by then has died. */
const leaseSeconds = 180;

/** SQL: seconds until the next alert may be sent to the recipient of message `o`. */
const pauseLeft = (recipient: string) => `coalesce((
  select ceil(extract(epoch from sent.sent_at + interval '${pauseSeconds} seconds' - now())) from outbox sent
  where sent.${recipient} = o.${recipient} and sent.purpose = 'alert' and sent.state = 'sent' and sent.created_at > now() - interval '1 day'
  order by sent.sent_at desc limit 1), 0)::int`;

/**
 * Claims a message that is due: no other worker sends it until the lease ends. Undefined if another one has it, or the recipient may not get
 * it now or any longer.
 */
export async function claimMessage(
  transaction: TenantTransaction,
  id: string,
): Promise<ClaimedMessage | undefined> {
  const [message] = await transaction.query<DueMessage>({
    // Locked: what happens from here on begins another alert, or joins this one if it is not sent yet.
    text: `select id, purpose, attempts, period_from as "periodFrom", created_at as "createdAt", person_id as "personId",
        channel_id as "channelId", case when person_id is not null then ${pauseLeft('person_id')} else ${pauseLeft('channel_id')} end as "pauseLeft",
        exists (select from outbox_notices l join notices n on n.id = l.notice_id where l.message_id = o.id and n.severity = 'critical')
          as "isCritical"
      from outbox o where id = $1 and state in ('waiting', 'sending') and ready_at <= now() for update skip locked`,
    values: [id],
  });
  if (!message) return undefined;
  const [organization] = await transaction.query<{ id: string; name: string }>({
    text: 'select id, name from organizations',
  });
  const { personId, channelId, ...claimed } = message;
  const person = personId === null ? null : await recipientPerson(transaction, personId);
  const channel = channelId === null ? null : await recipientChannel(transaction, channelId);
  const isGone = !person && !channel;
  const wait = isGone ? 0 : secondsToWait(message, person);
  if (wait > 0) {
    await transaction.query({
      text: 'update outbox set ready_at = now() + make_interval(secs => $2::int) where id = $1',
      values: [id, Math.min(wait, longestWaitSeconds)],
    });
    return undefined;
  }
  const [state, tried, seconds] = isGone
    ? (['empty', 0, 0] as const)
    : (['sending', 1, leaseSeconds] as const);
  await transaction.query({
    text: `update outbox set state = $2, attempts = attempts + $3::int, ready_at = now() + make_interval(secs => $4::int) where id = $1`,
    values: [id, state, tried, seconds],
  });
  if (isGone) return undefined;
  return { ...claimed, attempts: message.attempts + 1, organization: organization!, person, channel };
}

/** A message that is put off is considered again then: settings may have changed. */
const longestWaitSeconds = 600;

/** Seconds until an alert or a digest may be sent; 0 for now. */
function secondsToWait(
  { purpose, pauseLeft, isCritical }: DueMessage,
  person: RecipientPerson | null,
): number {
  if (purpose === 'test' || purpose === 'code') return 0;
  const { quietHours, timeZone = 'UTC' } = person ?? {};
  const isQuiet = quietHours && !(isCritical && quietHours.except_critical);
  const quiet = isQuiet ? quietMinutesLeft(new Date(), timeZone, quietHours) * 60 : 0;
  return Math.max(quiet, purpose === 'alert' ? pauseLeft : 0);
}

/** SQL: whether mail may be sent to the address of person `p` with preferences `f`: the person has shown to have its mailbox. */
export const isConfirmed = `(p.email_verified_at is not null or coalesce(lower(f.confirmed_email collate "C") = lower(p.email collate "C"), false))`;

/** Null for someone who has left. */
async function recipientPerson(session: TenantSession, id: string): Promise<RecipientPerson | null> {
  const [row] = await session.query<
    StoredPreferences & Pick<RecipientPerson, 'email' | 'confirmed' | 'role'>
  >({
    text: `select p.email, ${isConfirmed} as confirmed, m.role, f.time_zone, f.quiet_from, f.quiet_until, f.quiet_except_critical
      from memberships m join people p on p.id = m.person_id left join person_preferences f on f.person_id = p.id
      where m.person_id = $1 and m.left_at is null`,
    values: [id],
  });
  if (!row) return null;
  const { email, confirmed, role, ...stored } = row;
  const { time_zone: timeZone, quiet_hours: quietHours } = preferencesOf(stored);
  return { id, email, confirmed, role, timeZone, quietHours };
}

async function recipientChannel(session: TenantSession, id: string): Promise<RecipientChannel | null> {
  const [row] = await session.query<RecipientChannel>({
    text: `select id, format, time_zone as "timeZone", master_key_id as "masterKeyId", wrapped_key as "wrappedKey", ciphertext
      from notification_channels where id = $1`,
    values: [id],
  });
  return row ?? null;
}

type End =
  | { readonly state: 'sent' | 'empty' }
  | { readonly state: 'failed'; readonly error: string }
  /** Tried again after the seconds. */
  | { readonly state: 'sending'; readonly afterSeconds: number; readonly error: string };

/** Records how an attempt of a claimed message ended, unless another worker has claimed it since. */
export async function endMessage(
  transaction: TenantTransaction,
  { id, purpose, attempts }: Pick<ClaimedMessage, 'id' | 'purpose' | 'attempts'>,
  end: End,
): Promise<void> {
  const after = end.state === 'sending' ? end.afterSeconds : 0;
  const error = 'error' in end ? end.error : null;
  const isRetriedAlert = end.state === 'sending' && purpose === 'alert';
  if (isRetriedAlert && (await joinWaiting(transaction, id))) return;
  await transaction.query({
    text: `update outbox set state = $2, error = $3, sent_at = case when $2 = 'sent' then now() end,
        ready_at = now() + make_interval(secs => $4::int)
      where id = $1 and state = 'sending' and attempts = $5`,
    // What happens until then joins it.
    values: [id, isRetriedAlert ? 'waiting' : end.state, error, after, attempts],
  });
}

/** Moves what an alert has to the one that waits for the same recipient, so that there are not two once sending works again. */
async function joinWaiting(transaction: TenantTransaction, id: string): Promise<boolean> {
  const [waiting] = await transaction.query<{ id: string }>({
    text: `select w.id from outbox o join outbox w on w.purpose = 'alert' and w.state = 'waiting' and w.id <> o.id
        and (w.person_id = o.person_id or w.channel_id = o.channel_id)
      where o.id = $1 for update of w`,
    values: [id],
  });
  if (!waiting) return false;
  await transaction.query({
    text: `insert into outbox_notices (message_id, notice_id) select $2, notice_id from outbox_notices where message_id = $1
      on conflict do nothing`,
    values: [id, waiting.id],
  });
  await transaction.query({
    text: `update outbox set state = 'empty', error = 'joined' where id = $1`,
    values: [id],
  });
  return true;
}

/** Stores the hash of the token in the link of a mail, before the mail is sent. */
export async function recordUnsubscribeToken(
  transaction: TenantTransaction,
  id: string,
  hash: Buffer,
): Promise<void> {
  await transaction.query({
    text: 'update outbox set unsubscribe_hash = $2 where id = $1',
    values: [id, hash],
  });
}

const sentColumns = 'id, purpose, state, error, created_at, sent_at';

/** The newest messages to a person. */
export async function listMessagesTo(session: TenantSession, personId: string): Promise<SentMessage[]> {
  return session.query<SentMessage>({
    text: `select ${sentColumns} from outbox where person_id = $1 order by created_at desc, id limit 10`,
    values: [personId],
  });
}

/** Sends a message of this purpose to a recipient as soon as a worker is free. */
export async function addMessage(
  transaction: TenantTransaction,
  purpose: 'test' | 'code',
  recipient: { readonly personId: string } | { readonly channelId: string },
): Promise<SentMessage> {
  const [message] = await transaction.query<SentMessage>({
    text: `insert into outbox (purpose, person_id, channel_id) values ($1, $2, $3) returning ${sentColumns}`,
    values: [
      purpose,
      'personId' in recipient ? recipient.personId : null,
      'channelId' in recipient ? recipient.channelId : null,
    ],
  });
  return message!;
}
