/** Which of several servers connections lead to, as libpq names them (`target_session_attrs`). */
export type SessionAttributes = 'any' | 'read-write' | 'primary' | 'standby';

export interface Host {
  readonly host: string;
  /** Undefined for the default. */
  readonly port?: number | undefined;
}

export interface ServerState {
  readonly isStandby: boolean;
  /** Whether its transactions are read-only: of a standby, or by its settings. */
  readonly isReadOnly: boolean;
  /** The same for all connections to it, whichever proxy they lead through. */
  readonly server: string;
}

/** One attempt of a connection. */
interface Try {
  readonly host: Host;
  /** Why the server is not the one that is wanted; undefined if it is. */
  refuses(state: ServerState): string | undefined;
  /**
   * Remembers where an open connection leads.
   *
   * @param silent hosts that did not answer before
   */
  opened(connection: Droppable, state: ServerState, silent: ReadonlySet<Host>): void;
}

interface Droppable {
  drop(): void;
}

/**
 * The servers of a URL with several hosts, and which of them is in use. All connections with the same settings share it. If the primary is
 * another server than before, the connections to the former one are dropped: it may not answer, or be a primary that others do not use. So
 * are those through a host that did not answer. Others through several proxies to one primary go on.
 */
export class Hosts {
  readonly all: readonly Host[];
  readonly #wanted: SessionAttributes;
  readonly #open = new Map<Droppable, { readonly host: Host; readonly server: string }>();
  #last: Host;

  constructor(all: readonly [Host, ...Host[]], wanted: SessionAttributes) {
    this.all = all;
    this.#wanted = wanted;
    [this.#last] = all;
  }

  /** In the order of the URL, after the one that was used last. */
  tries(): Try[] {
    const ordered = [this.#last, ...this.all.filter(host => host !== this.#last)];
    return ordered.map(host => ({
      host,
      refuses: state => mismatch(this.#wanted, state),
      opened: (connection, { server }, silent) => {
        this.#last = host;
        this.#open.set(connection, { host, server });
        this.#drop(other => other.server !== server || silent.has(other.host));
      },
    }));
  }

  closed(connection: Droppable): void {
    this.#open.delete(connection);
  }

  #drop(isStale: (place: { readonly host: Host; readonly server: string }) => boolean): void {
    // There is only one of these.
    if (this.#wanted !== 'read-write' && this.#wanted !== 'primary') return;
    for (const [connection, place] of [...this.#open]) if (isStale(place)) connection.drop();
  }
}

function mismatch(wanted: SessionAttributes, { isStandby, isReadOnly }: ServerState): string | undefined {
  const standby = isStandby ? 'it is a standby' : undefined;
  const primary = isStandby ? undefined : 'it is the primary';
  if (wanted === 'primary') return standby;
  if (wanted === 'standby') return primary;
  if (wanted === 'read-write') return standby ?? (isReadOnly ? 'it is read-only' : undefined);
  return undefined;
}
