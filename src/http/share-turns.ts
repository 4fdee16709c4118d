import type { RequestListener } from 'node:http';
import { clientNetwork } from '../domain/client-network.ts';

/** Requests that are begun in one turn of the event loop: of one client, and of all. */
const most = { ofClient: 4, ofAll: 16 };

type Begin = () => void;

/** A client's requests that have not begun. */
class Line {
  readonly waiting: Begin[] = [];
  #turn = 0;
  #begun = 0;

  /** Whether one more may begin in the turn. */
  hasRoom(turn: number): boolean {
    return this.#turn !== turn || this.#begun < most.ofClient;
  }

  begin(turn: number, begin: Begin): void {
    this.#begun = this.#turn === turn ? this.#begun + 1 : 1;
    this.#turn = turn;
    begin();
  }
}

/**
 * Begins a few requests in a turn of the event loop. Node would begin those of all connections that have one: a hundred, each of
 * which takes a millisecond, keep everybody else waiting a tenth of a second, for each turn that their own requests take. Clients
 * that ask all the time have their turns one after another; who has not asked lately goes first (as in FQ-CoDel, RFC 8290, section 4.2).
 */
export function shareTurns(answer: RequestListener): RequestListener {
  const lines = new Map<string, Line>();
  /** Of clients who have just come, and of those who came before, in the order in which their requests begin. */
  const [fresh, known]: [string[], string[]] = [[], []];
  let [turn, begun] = [0, 0];

  const beginOne = (line: Line, begin: Begin) => {
    begun += 1;
    line.begin(turn, begin);
  };

  const beginWaiting = () => {
    while (begun < most.ofAll && fresh.length > 0) {
      const client = fresh.shift()!;
      known.push(client);
      const line = lines.get(client)!;
      beginOne(line, line.waiting.shift()!);
    }
    for (let left = known.length; left > 0 && begun < most.ofAll; left--) {
      const client = known.shift()!;
      const line = lines.get(client)!;
      if (line.waiting.length === 0) {
        lines.delete(client);
        continue;
      }
      known.push(client);
      while (begun < most.ofAll && line.waiting.length > 0 && line.hasRoom(turn))
        beginOne(line, line.waiting.shift()!);
    }
  };

  const nextTurn = () => {
    [turn, begun] = [turn + 1, 0];
    try {
      beginWaiting();
    } finally {
      if (lines.size > 0) setImmediate(nextTurn);
    }
  };

  return (request, response) => {
    const { socket, headers } = request;
    // By now the header names the client alone, and where a proxy says so.
    const address = (headers['x-forwarded-for'] as string | undefined) ?? socket.remoteAddress ?? '';
    const client = clientNetwork(address);
    // Nobody is left to answer where the connection has ended meanwhile.
    const begin = () => void (socket.destroyed || answer(request, response));
    if (lines.size === 0) setImmediate(nextTurn);
    let line = lines.get(client);
    const isFresh = line === undefined;
    if (line === undefined) {
      line = new Line();
      lines.set(client, line);
    }
    const now = begun < most.ofAll && line.waiting.length === 0 && line.hasRoom(turn);
    if (isFresh) (now ? known : fresh).push(client);
    if (now) beginOne(line, begin);
    else line.waiting.push(begin);
  };
}
