import type { FirewallEngine, ShieldHeartbeat } from '../contract/shield-events.ts';
import { shieldBounds } from '../contract/shield-events.ts';
import { timestampOf } from '../domain/timestamp.ts';
import { Aggregate } from './aggregate.ts';
import { readConcurrent } from './audit-logs/read-concurrent.ts';
import { type AuditLogEngine, readRecord } from './audit-logs/read-record.ts';
import type { Firewall, FirewallRequest } from './firewall-request.ts';
import { type FollowOptions, followLog } from './log-file/follow-log.ts';
import type { LogPiece } from './log-file/log-reader.ts';
import type { LogPosition } from './log-file/position.ts';
import { readLog } from './log-file/read-log.ts';
import { envelopeOf, now, processStartedAt, requestEvents } from './make-events.ts';
import type { RuleBook } from './rule-book.ts';
import type { ForwarderIdentity, ShieldSink } from './sink.ts';
import { type StripOptions, stripRequest } from './strip/strip-request.ts';

/** Where reading continues, and what was read since the beginning. */
export interface LogState {
  readonly position: LogPosition | null;
  readonly records: number;
  readonly malformed: number;
  readonly tooLong: number;
}

export const initialLogState: LogState = { position: null, records: 0, malformed: 0, tooLong: 0 };

export interface ForwardLogOptions {
  readonly engine: AuditLogEngine;
  /** The log with a record in each line (`SecAuditLogType Serial`), or the index of a concurrent log. */
  readonly path: string;
  /** `SecAuditLogStorageDir` of a concurrent log, which has one file per record. */
  readonly storage?: string;
  readonly state: LogState;
  /** The firewall's rules as they are now, before lines are read. */
  readonly book: () => Promise<RuleBook>;
  readonly strip: StripOptions;
  readonly identity: ForwarderIdentity;
  readonly sink: ShieldSink<LogState>;
  /** Ends it, after what was read is stored. */
  readonly signal: AbortSignal;
  /** How long requests are counted together before they are stored. */
  readonly flushSeconds?: number;
  readonly heartbeatSeconds?: number;
  readonly follow?: Pick<FollowOptions, 'pollMilliseconds' | 'lingerMilliseconds' | 'onUnreadable'>;
  /** Called with each heartbeat that states another problem than the last one. */
  readonly onProblem?: (problem: ShieldHeartbeat['problem']) => void;
  /** Reads what the log has now, and ends with one heartbeat. */
  readonly once?: boolean;
}

/**
 * Reads the audit log of a firewall and stores events about it, until the signal.
 *
 * @throws if the sink fails: continue from its state
 */
export async function forwardLog(options: ForwardLogOptions): Promise<void> {
  const { sink, flushSeconds = 60, heartbeatSeconds = 60, once = false } = options;
  const requests = new Aggregate();
  const facts = new LogFacts(options, heartbeatSeconds);
  const stored = { state: options.state, at: performance.now(), heartbeatAt: Number.NEGATIVE_INFINITY };
  let state = options.state;
  const isDue = (since: number, seconds: number) => performance.now() - since >= seconds * 1_000;
  const storeRequests = async () => {
    const events = requests.take().flatMap(window => requestEvents(window, options.identity));
    if (events.length > 0 || state !== stored.state) await sink.put(events, state);
    stored.state = state;
    stored.at = performance.now();
  };
  let problem: ShieldHeartbeat['problem'] = null;
  const beat = async () => {
    const heartbeat = facts.heartbeat(state);
    // What was read since is not stored yet.
    await sink.put([heartbeat], stored.state);
    if (heartbeat.problem !== problem) options.onProblem?.(heartbeat.problem);
    problem = heartbeat.problem;
    stored.heartbeatAt = performance.now();
  };
  const pieces = once
    ? readLog(options.path, options.follow?.onUnreadable)
    : followLog(options.path, { ...options.follow, ...options, ...options.state });
  for await (const piece of pieces) {
    state = await countRecords(piece, state, options, (request, book) => {
      const stripped = stripRequest(request, book, options.strip);
      requests.add(stripped, request.at);
      facts.see(request, stripped.host);
    });
    facts.lag = piece.lag;
    facts.isMissing = piece.isMissing;
    if (requests.isFull || isDue(stored.at, flushSeconds)) await storeRequests();
    if (!once && isDue(stored.heartbeatAt, heartbeatSeconds)) await beat();
  }
  await storeRequests();
  if (once) await beat();
}

/** Reads the records of a piece. @returns the state after it: the same one if nothing is new */
async function countRecords(
  { lines, tooLong, position }: LogPiece,
  state: LogState,
  { engine, storage, book: currentBook }: ForwardLogOptions,
  found: (request: FirewallRequest, book: RuleBook) => void,
): Promise<LogState> {
  let malformed = 0;
  const book = lines.length > 0 ? await currentBook() : new Map();
  for (const line of lines) {
    const text = storage === undefined ? line : await readConcurrent(storage, line);
    const record = text === undefined ? 'malformed' : readRecord(engine, text, book);
    if (record === 'malformed') malformed += 1;
    else if (record !== 'without_rules') found(record, book);
  }
  const isSame = position?.inode === state.position?.inode && position?.offset === state.position?.offset;
  if (isSame && lines.length + tooLong === 0) return state;
  return {
    position,
    records: state.records + lines.length,
    malformed: state.malformed + malformed,
    tooLong: state.tooLong + tooLong,
  };
}

/** What a heartbeat states. */
class LogFacts {
  readonly #hosts = new Map<string | null, number>();
  readonly #identity: ForwarderIdentity;
  readonly #intervalSeconds: number;
  readonly #engine: FirewallEngine;
  #firewall: Firewall | undefined;
  #lastAt: number | undefined;
  lag = 0;
  isMissing = false;

  constructor({ identity, engine }: ForwardLogOptions, intervalSeconds: number) {
    this.#identity = identity;
    this.#engine = engine;
    this.#intervalSeconds = intervalSeconds;
  }

  see({ firewall, at }: FirewallRequest, host: string | null): void {
    this.#firewall = firewall;
    this.#lastAt = at;
    // Most recent last: a map keeps the order of insertion.
    this.#hosts.delete(host);
    this.#hosts.set(host, at);
    if (this.#hosts.size > shieldBounds.hosts) this.#hosts.delete(this.#hosts.keys().next().value!);
  }

  heartbeat({ records, malformed, tooLong }: LogState): ShieldHeartbeat {
    const { version, mode, ruleSet } = this.#firewall ?? { version: null, mode: 'unknown', ruleSet: null };
    return {
      ...envelopeOf(this.#identity, now()),
      kind: 'shield.heartbeat',
      started_at: processStartedAt(),
      interval_seconds: Math.max(10, this.#intervalSeconds),
      firewall: { engine: this.#engine, version, mode, rule_set: ruleSet },
      problem: this.isMissing ? 'log_missing' : null,
      log: {
        lag_bytes: this.lag,
        records,
        malformed,
        too_long: tooLong,
        last_record_at: this.#lastAt === undefined ? null : timestampOf(new Date(this.#lastAt)),
      },
      hosts: [...this.#hosts]
        .reverse()
        .map(([host, at]) => ({ host, last_seen_at: timestampOf(new Date(at)) })),
    };
  }
}
