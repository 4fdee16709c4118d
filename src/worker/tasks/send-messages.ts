import { briefTransaction } from '../../database/brief-transaction.ts';
import { DatabaseUnavailable } from '../../database/outages.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
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
} from '../../resources/notifications/outbox.ts';
import { newUnsubscribeToken } from '../../resources/notifications/unsubscribe.ts';
import { SandboxDied } from '../../sandbox/died.ts';
import { taskLimits } from '../../sandbox/limits.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { composeMessage } from './compose-message.ts';

type Services = Pick<WorkerServices, 'storage' | 'log' | 'sandbox' | 'messages'>;

/** Messages that are claimed in a turn, and sent at a time: a server that answers slowly delays few of them. */
const perTurn = 100;
const lanes = 4;

/** Minutes until the next attempt, after each failed one. A message is given up after a day. */
const retryMinutes = [1, 2, 5, 15, 30, 60, 120, 240];
const giveUpAfterMs = 24 * 3_600_000;

/** Why an attempt failed. */
interface Failure {
  readonly error: string;
  readonly isFinal: boolean;
  readonly afterSeconds?: number;
}

type Sent = { readonly unsubscribeHash?: Buffer };

/** Sends the messages that are due, round-robin by organization. */
export async function sendMessages(services: Services): Promise<void> {
  const due = await services.storage.system.due.messages(perTurn);
  const next = due.values();
  const lane = async () => {
    for (const { organizationId, messageId } of next) await send(services, organizationId, messageId);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function send(services: Services, organizationId: string, id: string): Promise<void> {
  const store = services.storage.tenant(organizationId, worker);
  try {
    const message = await briefTransaction(store, transaction => claimMessage(transaction, id));
    if (message) await attempt(services, store, message);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    // It is claimed again after its lease.
    services.log('message.not_sent', { organization_id: organizationId, message_id: id, err: error });
  }
}

async function attempt(services: Services, store: TenantStore, message: ClaimedMessage): Promise<void> {
  const { id, purpose, person } = message;
  const composed = await composeMessage(services, store, message);
  const outcome = composed === null ? null : await deliver(services, message, composed);
  await briefTransaction(store, transaction => endMessage(transaction, id, endOf(message, outcome)));
  if (outcome === null) return;
  const failure = 'error' in outcome ? outcome : undefined;
  services.log(failure ? 'message.failed' : 'message.sent', {
    organization_id: message.organization.id,
    message_id: id,
    purpose,
    medium: person ? 'mail' : message.channel!.format,
    ...(failure ? { reason: failure.error, attempt: message.attempts } : {}),
  });
}

function endOf(message: ClaimedMessage, outcome: Sent | Failure | null): Parameters<typeof endMessage>[2] {
  if (outcome === null) return { state: 'empty' };
  if (!('error' in outcome)) return { state: 'sent', ...outcome };
  const { error, isFinal, afterSeconds } = outcome;
  const isOld = Date.now() - Date.parse(message.createdAt) > giveUpAfterMs;
  // Someone waits for the outcome.
  const isWatched = message.purpose === 'test' || message.purpose === 'code';
  if (isFinal || isOld || isWatched) return { state: 'failed', error };
  const minutes = retryMinutes[Math.min(message.attempts, retryMinutes.length) - 1]!;
  return { state: 'sending', error, afterSeconds: Math.max(afterSeconds ?? 0, minutes * 60) };
}

function deliver(services: Services, message: ClaimedMessage, composed: Message): Promise<Sent | Failure> {
  const { person, channel } = message;
  return person ? mail(services, message, person, composed) : post(services, message, channel!, composed);
}

async function mail(
  { messages: { mailer, dashboard } }: Services,
  { id, purpose }: ClaimedMessage,
  { email, confirmed }: RecipientPerson,
  composed: Message,
): Promise<Sent | Failure> {
  if (!mailer) return { error: 'no mail server is set up', isFinal: true };
  if (!confirmed && purpose !== 'code') return { error: 'the address is not confirmed', isFinal: true };
  const isWanted = purpose === 'alert' || purpose === 'digest';
  const { token, hash } = newUnsubscribeToken();
  const link =
    isWanted && dashboard !== null ? { unsubscribe: `${dashboard}/unsubscribe#token=${token}` } : {};
  try {
    await mailer.send({
      to: email,
      id,
      ...mailBody({ ...composed, ...link }),
      ...(isWanted && dashboard !== null ? { unsubscribeUrl: `${dashboard}/api/unsubscribe/${token}` } : {}),
    });
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    return { error: error.code, isFinal: error.isFinal };
  }
  return isWanted ? { unsubscribeHash: hash } : {};
}

async function post(
  { storage, sandbox }: Services,
  { organization }: ClaimedMessage,
  channel: RecipientChannel,
  composed: Message,
): Promise<Sent | Failure> {
  try {
    const url = await openUrl(storage.keyRing, organization.id, channel);
    const input = { url, body: chatBody(channel.format, composed) };
    const task = { organizationId: organization.id, limits: taskLimits.connection };
    const answer = await sandbox.run('post_message', input, task);
    if ('errorCode' in answer) return { error: answer.errorCode, isFinal: false };
    const { status, retryAfterSeconds } = answer;
    if (status >= 200 && status < 300) return {};
    return {
      error: `HTTP ${status}`,
      // The webhook is gone, or refuses this message.
      isFinal: status >= 400 && status < 500 && status !== 408 && status !== 429,
      ...(retryAfterSeconds === null ? {} : { afterSeconds: retryAfterSeconds }),
    };
  } catch (error) {
    if (error instanceof CredentialLost) return { error: 'credential_lost', isFinal: true };
    if (error instanceof SandboxDied) return { error: error.deathCause, isFinal: false };
    throw error;
  }
}
