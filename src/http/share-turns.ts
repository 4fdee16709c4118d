import type { RequestListener } from 'node:http';
import { clientNetwork } from '../domain/client-network.ts';

/** Requests of one client that are begun in one turn of the event loop. */
const atOnce = 4;

interface Line {
  begun: number;
  readonly waiting: (() => void)[];
}

/**
 * Begins a few requests of each client in a turn of the event loop. Node would begin those of all connections that have one: a hundred
 * of one client, each of which takes a millisecond, then keep everybody else's waiting a tenth of a second for each turn that
 * these take. What waits is begun in the order in which it came, and takes no longer in all.
 */
export function shareTurns(answer: RequestListener): RequestListener {
  const lines = new Map<string, Line>();
  const nextTurn = () => {
    for (const [client, line] of lines) {
      if (line.waiting.length === 0) {
        lines.delete(client);
        continue;
      }
      line.begun = 0;
      for (const begin of line.waiting.splice(0, atOnce)) {
        line.begun += 1;
        begin();
      }
    }
    if (lines.size > 0) setImmediate(nextTurn);
  };
  return (request, response) => {
    const { socket, headers } = request;
    // By now the header names the client alone, and where a proxy says so.
    const client = clientNetwork(
      (headers['x-forwarded-for'] as string | undefined) ?? socket.remoteAddress ?? '',
    );
    if (lines.size === 0) setImmediate(nextTurn);
    const line = lines.get(client) ?? { begun: 0, waiting: [] };
    lines.set(client, line);
    // Nobody is left to answer where the connection has ended meanwhile.
    const begin = () => socket.destroyed || answer(request, response);
    if (line.begun < atOnce && line.waiting.length === 0) {
      line.begun += 1;
      begin();
    } else line.waiting.push(begin);
  };
}
