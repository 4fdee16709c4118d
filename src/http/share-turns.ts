import type { IncomingMessage, RequestListener } from 'node:http';
import { clientNetwork } from '../domain/client-network.ts';
import { FairTurns } from './fair-turns.ts';

const limits = { ofClient: 4, ofAll: 16 };

/** By now the header names the client alone, and where a proxy says so. */
function clientOf({ headers, socket }: IncomingMessage): string {
  return clientNetwork((headers['x-forwarded-for'] as string | undefined) ?? socket.remoteAddress ?? '');
}

/**
 * Begins a few requests in a turn of the event loop. Node would begin those of all connections that have one: a hundred, each of
 * which takes a millisecond, keep everybody else waiting a tenth of a second, for each turn that their own requests take.
 */
export function shareTurns(answer: RequestListener): RequestListener {
  const turns = new FairTurns(limits);
  return (request, response) => {
    turns.take(clientOf(request), {
      weight: 1,
      // Nobody is left to answer where the connection has ended meanwhile.
      begin: () => void (request.socket.destroyed || answer(request, response)),
    });
  };
}

const bodies = new FairTurns(limits);

/** Bytes of a body that take about as long as a request without one. */
const bytesOfOne = 4096;

/** A body of so many bytes may take tens of milliseconds: between two of them, the time belongs to others. */
const largeBytes = 16 * 1024;
const largeBodies = new FairTurns({ ofClient: 1, ofAll: 1, rest: 3 });

/**
 * Waits for a turn in which what comes of a body is done: hashing, parsing, validation. The bodies of many requests, which have begun long
 * before, may end at the same moment.
 */
export function bodyTurn(request: IncomingMessage, bytes: number): Promise<void> {
  return new Promise(begin => {
    const turns = bytes < largeBytes ? bodies : largeBodies;
    turns.take(clientOf(request), { weight: 1 + bytes / bytesOfOne, begin });
  });
}
