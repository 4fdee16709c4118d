import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networksOf } from '../domain/client-network.ts';
import { Refusal } from '../domain/refusal.ts';
import { FairTurns, type Place } from './fair-turns.ts';
import { MeteredRequest } from './metered-request.ts';

const limits = { ofLine: 4, ofAll: 16 };

/**
 * Who has many networks has one line for all of them; clients of one site have their turns in it. By now the header names the client
 * alone, and where a proxy says so.
 */
function placeOf({ headers, socket }: IncomingMessage): Place {
  const address = (headers['x-forwarded-for'] as string | undefined) ?? socket.remoteAddress ?? '';
  const { site, client } = networksOf(address);
  return { line: site, member: client };
}

/**
 * Begins a few requests in a turn of the event loop. Node would begin those of all connections that have one: a hundred, each of
 * which takes a millisecond, keep everybody else waiting a tenth of a second, for each turn that their own requests take. Requests of
 * clients that have gone are forgotten.
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

/** Bytes of a head that is no longer than most. */
const bytesOfHead = 2048;

/** A long path or thousands of fields take as long as several requests. */
function weightOf(request: IncomingMessage): number {
  return request instanceof MeteredRequest ? Math.max(1, request.headBytes / bytesOfHead) : 1;
}

/** When the last request came that has no large body, by its own word. */
let othersCameAt = Number.NEGATIVE_INFINITY;

const bodies = { known: new FairTurns(limits), stranger: new FairTurns(limits) };

/** Bytes of a body that take about as long as a request without one. */
const bytesOfOne = 4096;

/**
 * Waits for a turn in which a body is hashed, or where it is small, parsed and validated. The bodies of many requests, which have begun
 * long before, may end at the same moment. Rejects where the client goes.
 *
 * @param sender `known`: with a session, or the id of a key. Strangers of any number of networks do not keep them waiting
 */
export function bodyTurn(
  request: IncomingMessage,
  bytes: number,
  sender: 'known' | 'stranger',
): Promise<void> {
  return turnOf(bodies[sender], placeOf(request), request, 1 + bytes / bytesOfOne);
}

/** A body of so many bytes may take tens of milliseconds: between two of them, the time belongs to others, if there are any. */
const largeBytes = 16 * 1024;
const largeBodies = new FairTurns({
  ofLine: 1,
  ofAll: 1,
  // Who has just asked asks again: what is under way by then keeps them waiting.
  rest: { times: 3, isNeeded: () => performance.now() - othersCameAt < 1_000 },
});

const longestWaitMs = 10_000;

/**
 * Waits for a turn in which a body is parsed and validated, if it is large. Rejects where the client goes, or the turn does not come in
 * time. Strangers do not come here: they would keep those waiting who are known.
 *
 * @param sender who may send it, and for which organization
 */
export async function largeBodyTurn(
  request: IncomingMessage,
  bytes: number,
  { organizationId, actor }: Pick<FastifyRequest, 'organizationId' | 'actor'>,
): Promise<void> {
  if (bytes < largeBytes) return;
  // What people send in pages does not keep the keys of their organization waiting.
  const place = { line: `${organizationId} ${actor.kind}`, member: actor.id };
  await turnOf(largeBodies, place, request, 1, longestWaitMs);
}

const waiting = new WeakSet<IncomingMessage>();

/** Whether all of its body is there, and kept until its turn. */
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
    const onLate = () => giveUp(new Refusal('request_failed', {}, { cause: 'others have sent too much' }));
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
