import { briefTransaction } from '../../database/brief-transaction.ts';
import { DatabaseUnavailable } from '../../database/outages.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { withinTime } from '../../domain/within-time.ts';
import { chatBody } from '../../messages/chat/chat-formats.ts';
import { MailFailed, mailBody } from '../../messages/mail/mail.ts';
import type { Message } from '../../messages/message.ts';
import { CredentialLost } from '../../resources/credentials/vault.ts';
import { openUrl } from '../../resources/notifications/channels.ts';
import {
  type ClaimedMessage,
  claimMessage,
  endMessage,
  type RecipientChannel,
  type RecipientPerson,
  recordUnsubscribeToken,
} from '../../resources/notifications/outbox.ts';
import { newUnsubscribeToken } from '../../resources/notifications/unsubscribe.ts';
import { SandboxDied } from '../../sandbox/died.ts';
import { taskLimits } from '../../sandbox/limits.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { composeMessage } from './compose-message.ts';

type Services = Pick<WorkerServices, 'storage' | 'log' | 'sandbox' | 'messages'>;

/** Messages that are read in a turn, and organizations whose messages are sent at a time. */
const perTurn = 100;
const lanes = 4;

/** After so long, the rest of an organization waits for the next turn: its channels may not answer. */
const shareMs = 10_000;

/** A post that waits for a process must end before another worker claims the message. */
const postMs = 60_000;

/** Minutes until the next attempt, after each failed one. A message is given up after all of them, and a day. */
const retryMinutes = [1, 2, 5, 15, 30, 60, 120, 240];
const giveUpAfterMs = 24 * 3_600_000;

/** Why an attempt failed. */
interface Failure {
  readonly error: string;
  readonly isFinal: boolean;
  readonly afterSeconds?: number;
}

/**
 * Sends the messages of one medium that are due. Those of an organization are sent one after another, and the media apart: a webhook that
 * does not answer delays neither mail nor other organizations.
 */
export async function sendMessages(services: Services, medium: 'mail' | 'chat'): Promise<void> {
  const due = await services.storage.system.due.messages(perTurn, medium);
  const byOrganization = new Map<string, string[]>();
  for (const { organizationId, messageId } of due) {
    const ids = byOrganization.get(organizationId);
    if (ids) ids.push(messageId);
    else byOrganization.set(organizationId, [messageId]);
  }
  const next = byOrganization.entries();
  const lane = async () => {
    for (const [organizationId, ids] of next) {
      const until = performance.now() + shareMs;
      for (const id of ids) if (performance.now() < until) await send(services, organizationId, id);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function send(services: Services, organizationId: string, id: string): Promise<void> {
  const store = services.storage.tenant(organizationId, worker);
  let message: ClaimedMessage | undefined;
  try {
    message = await briefTransaction(store, transaction => claimMessage(transaction, id));
    if (message) await attempt(services, store, message);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    services.log('message.not_sent', { organization_id: organizationId, message_id: id, err: error });
    const failed = message;
    if (!failed) return;
    const end = endOf(failed, { error: 'internal error', isFinal: false });
    await briefTransaction(store, transaction => endMessage(transaction, failed, end));
  }
}

async function attempt(services: Services, store: TenantStore, message: ClaimedMessage): Promise<void> {
  const { id, purpose, person } = message;
  const composed = await composeMessage(services, store, message);
  const failure = composed === null ? undefined : await deliver(services, store, message, composed);
  const end = failure ? endOf(message, failure) : ({ state: composed === null ? 'empty' : 'sent' } as const);
  await briefTransaction(store, transaction => endMessage(transaction, message, end));
  if (composed === null) return;
  services.log(failure ? 'message.failed' : 'message.sent', {
    organization_id: message.organization.id,
    message_id: id,
    purpose,
    medium: person ? 'mail' : message.channel!.format,
    ...(failure ? { reason: failure.error, attempt: message.attempts } : {}),
  });
}

/** How a failed attempt ends. */
function endOf(
  message: ClaimedMessage,
  { error, isFinal, afterSeconds }: Failure,
): Parameters<typeof endMessage>[2] {
  const isOld =
    message.attempts > retryMinutes.length && Date.now() - Date.parse(message.createdAt) > giveUpAfterMs;
  // Someone waits for the outcome.
  const isWatched = message.purpose === 'test' || message.purpose === 'code';
  if (isFinal || isOld || isWatched) return { state: 'failed', error };
  const minutes = retryMinutes[Math.min(message.attempts, retryMinutes.length) - 1]!;
  return { state: 'sending', error, afterSeconds: Math.max(afterSeconds ?? 0, minutes * 60) };
}

/** Undefined if the mail server or chat system has taken it. */
function deliver(
  services: Services,
  store: TenantStore,
  message: ClaimedMessage,
  composed: Message,
): Promise<Failure | undefined> {
  const { person, channel } = message;
  return person
    ? mail(services, store, message, person, composed)
    : post(services, message, channel!, composed);
}

async function mail(
  { messages: { mailer, dashboard } }: Services,
  store: TenantStore,
  { id, purpose }: ClaimedMessage,
  { email, confirmed }: RecipientPerson,
  composed: Message,
): Promise<Failure | undefined> {
  if (!mailer) return { error: 'no mail server is set up', isFinal: true };
  if (!confirmed && purpose !== 'code') return { error: 'the address is not confirmed', isFinal: true };
  const isWanted = purpose === 'alert' || purpose === 'digest';
  const token = isWanted && dashboard !== null ? newUnsubscribeToken() : undefined;
  // Before, so that the link works as soon as the mail arrives.
  if (token)
    await briefTransaction(store, transaction => recordUnsubscribeToken(transaction, id, token.hash));
  const link = token ? { unsubscribe: `${dashboard}/unsubscribe#token=${token.token}` } : {};
  try {
    await mailer.send({
      to: email,
      id,
      ...mailBody({ ...composed, ...link }),
      ...(token ? { unsubscribeUrl: `${dashboard}/api/unsubscribe/${token.token}` } : {}),
    });
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    return { error: error.code, isFinal: error.isFinal };
  }
  return undefined;
}

async function post(
  { storage, sandbox, messages: { webhookAllowlist: allowlist } }: Services,
  { organization }: ClaimedMessage,
  channel: RecipientChannel,
  composed: Message,
): Promise<Failure | undefined> {
  try {
    const url = await openUrl(storage.keyRing, organization.id, channel);
    const input = { url, body: chatBody(channel.format, composed), allowlist };
    const answer = await withinTime(postMs, undefined, signal =>
      sandbox.run('post_message', input, {
        organizationId: organization.id,
        limits: taskLimits.connection,
        signal,
      }),
    );
    if ('errorCode' in answer) return { error: answer.errorCode, isFinal: false };
    const { status, retryAfterSeconds } = answer;
    if (status >= 200 && status < 300) return undefined;
    return {
      error: `HTTP ${status}`,
      // The webhook is gone, or refuses this message.
      isFinal: status >= 400 && status < 500 && status !== 408 && status !== 429,
      ...(retryAfterSeconds === null ? {} : { afterSeconds: retryAfterSeconds }),
    };
  } catch (error) {
    if (error instanceof CredentialLost) return { error: 'credential_lost', isFinal: true };
    if (error instanceof SandboxDied) return { error: error.deathCause, isFinal: false };
    if ((error as Error).name === 'TimeoutError') return { error: 'timeout', isFinal: false };
    throw error;
  }
}
