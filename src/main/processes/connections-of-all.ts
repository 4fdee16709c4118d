import type { Networks } from '../../domain/client-network.ts';
import type { CountedTogether } from '../../http/connection-caps.ts';
import { ConnectionCounts, type RefusedBy } from '../../http/connection-counts.ts';
import type { TransportLimits } from '../../http/transport-limits.ts';
import type { Command, Opened, Report } from './messages.ts';

type Connections = Extract<Report, { kind: 'connections' }>;

/** In the supervisor: counts the connections of all processes, so that the limits apply to the port. */
export class ConnectionsOfAll {
  readonly #counts: ConnectionCounts;
  readonly #open = new Map<object, Map<number, Networks | undefined>>();
  readonly #ended = new WeakSet<object>();

  constructor(limits: Pick<TransportLimits, 'connections' | 'connectionsPerAddress'>) {
    this.#counts = new ConnectionCounts(limits);
  }

  /** Takes the report of a process. Returns the connections that it must refuse. */
  count(of: object, { opened, closed }: Connections): Command[] {
    // A report may arrive after the end of its process.
    if (this.#ended.has(of)) return [];
    const open = this.#open.get(of) ?? new Map<number, Networks | undefined>();
    this.#open.set(of, open);
    const refused: Command[] = [];
    // A connection that closed meanwhile leaves room for one that opened.
    for (const id of closed) this.#close(open, id);
    const gone = new Set(closed);
    for (const { id, networks } of opened.filter(({ id }) => !gone.has(id))) {
      const limit = this.#counts.add(networks);
      if (limit) refused.push({ kind: 'refuse', id, limit });
      else open.set(id, networks);
    }
    return refused;
  }

  /** Forgets the connections of a process that ended. */
  forget(of: object): void {
    this.#ended.add(of);
    const open = this.#open.get(of);
    this.#open.delete(of);
    for (const id of [...(open?.keys() ?? [])]) this.#close(open!, id);
  }

  #close(open: Map<number, Networks | undefined>, id: number): void {
    if (!open.has(id)) return;
    this.#counts.remove(open.get(id));
    open.delete(id);
  }
}

/** In a process: reports its connections to the supervisor, those of one turn of the event loop in one message. */
export class ReportedConnections implements CountedTogether {
  readonly #tell: (report: Connections) => void;
  readonly #refuse = new Map<number, (limit: RefusedBy) => void>();
  #opened: Opened[] = [];
  #closed: number[] = [];
  #last = 0;

  constructor(tell: (report: Connections) => void) {
    this.#tell = tell;
  }

  opened(networks: Networks | undefined, refuse: (limit: RefusedBy) => void): () => void {
    this.#last += 1;
    const id = this.#last;
    this.#refuse.set(id, refuse);
    this.#soon();
    this.#opened.push({ id, ...(networks ? { networks } : {}) });
    return () => {
      this.#refuse.delete(id);
      this.#soon();
      this.#closed.push(id);
    };
  }

  /** The supervisor counted one connection too many. */
  refuse(id: number, limit: RefusedBy): void {
    this.#refuse.get(id)?.(limit);
  }

  #soon(): void {
    if (this.#opened.length + this.#closed.length > 0) return;
    setImmediate(() => {
      const [opened, closed] = [this.#opened, this.#closed];
      this.#opened = [];
      this.#closed = [];
      this.#tell({ kind: 'connections', opened, closed });
    });
  }
}
