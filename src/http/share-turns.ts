import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networksOf } from '../domain/client-network.ts';
import { Refusal } from '../domain/refusal.ts';
import { FairTurns, type Place } from './fair-turns.ts';
import { MeteredRequest } from './metered-request.ts';

const limits = { ofLine: 4, ofAll: 16 };

/** One line for each site, with its clients as members. The header has been reduced to the client address by now. */
function placeOf({ headers, socket }: IncomingMessage): Place {
  const address = (headers['x-forwarded-for'] as string | undefined) ?? socket.remoteAddress ?? '';
  const { site, client } = networksOf(address);
  return { line: site, member: client };
}

/**
 * Starts a few requests in each turn of the event loop. Node would start those of all connections: a hundred requests of a millisecond
 * each would delay all others by a tenth of a second per turn. Requests of disconnected clients are dropped.
 */
export function shareTurns(answer: RequestListener): RequestListener {
  const turns = new FairTurns(limits);
  return (request, response) => {
    if (!(Number(request.headers['content-length']) >= largeBytes)) othersCameAt = performance.now();
    const leave = turns.take(placeOf(request), {
      weight: weightOf(request),
      begin: () => void answer(request, response),
    });
    if (leave) response.once('close', leave);
  };
}

/** Bytes of an ordinary head. */
const bytesOfHead = 2048;

/** A long path or many fields take as long as several requests. */
function weightOf(request: IncomingMessage): number {
  return request instanceof MeteredRequest ? Math.max(1, request.headBytes / bytesOfHead) : 1;
}

/** Time of the last request that did not announce a large body. */
let othersCameAt = Number.NEGATIVE_INFINITY;

const bodies = { known: new FairTurns(limits), unknown: new FairTurns(limits) };

/** Bytes of a body that take about as long as a request without a body. */
const bytesOfOne = 4096;

/**
 * Waits for a turn to hash a body, or to parse and validate a small one: many bodies may complete at the same moment. Rejects if the
 * client disconnects.
 *
 * @param sender `known` with a session or the ID of a key. Known senders do not wait for others
 */
export function bodyTurn(
  request: IncomingMessage,
  bytes: number,
  sender: 'known' | 'unknown',
): Promise<void> {
  return turnOf(bodies[sender], placeOf(request), request, 1 + bytes / bytesOfOne);
}

/** A large body may take tens of milliseconds: pause after each one if there are other requests. */
const largeBytes = 16 * 1024;
const largeBodies = new FairTurns({
  ofLine: 1,
  ofAll: 1,
  // Recent clients will send further requests soon.
  rest: { times: 3, isNeeded: () => performance.now() - othersCameAt < 1_000 },
});

const longestWaitMs = 10_000;

/**
 * Waits for a turn to parse and validate a large body. Rejects if the client disconnects or the wait is too long. For authenticated
 * requests only: others must not delay them.
 */
export async function largeBodyTurn(
  request: IncomingMessage,
  bytes: number,
  { organizationId, actor }: Pick<FastifyRequest, 'organizationId' | 'actor'>,
): Promise<void> {
  if (bytes < largeBytes) return;
  // Separate lines for people and keys of an organization: neither delays the other.
  const place = { line: `${organizationId} ${actor.kind}`, member: actor.id };
  await turnOf(largeBodies, place, request, 1, longestWaitMs);
}

const waiting = new WeakSet<IncomingMessage>();

/** Whether a complete body is buffered and queued. */
export function waitsForTurn(request: IncomingMessage): boolean {
  return waiting.has(request);
}

function turnOf(
  turns: FairTurns,
  place: Place,
  request: IncomingMessage,
  weight: number,
  longestMs?: number,
): Promise<void> {
  const { socket } = request;
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      waiting.delete(request);
      socket.off('close', onGone);
      clearTimeout(timer);
    };
    const begin = () => {
      stopWaiting();
      resolve();
    };
    const giveUp = (refusal: Refusal) => {
      stopWaiting();
      leave?.();
      reject(refusal);
    };
    const onGone = () => giveUp(new Refusal('invalid_body'));
    const onLate = () =>
      giveUp(new Refusal('request_failed', {}, { cause: 'too many large bodies are queued' }));
    if (socket.destroyed) {
      reject(new Refusal('invalid_body'));
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const leave = turns.take(place, { weight, begin });
    if (!leave) return;
    waiting.add(request);
    socket.once('close', onGone);
    if (longestMs !== undefined) timer = setTimeout(onLate, longestMs);
  });
}
