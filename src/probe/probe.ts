import { Clock } from '../agent/clock.ts';
import { type FolderLock, lockFolder } from '../agent/folder-lock.ts';
import { keepSending } from '../agent/keep-sending.ts';
import { requirePrivateFiles } from '../agent/private-files.ts';
import { batchOf, Sender } from '../agent/sender.ts';
import { ServiceConnection } from '../agent/service-connection.ts';
import { sleep } from '../agent/sleep.ts';
import { Spool } from '../agent/spool.ts';
import { workTogether } from '../agent/work-together.ts';
import { makeFolder } from '../domain/make-folder.ts';
import { withinTime } from '../domain/within-time.ts';
import { assess, type SandboxParts } from './assess.ts';
import type { ProbeConfiguration, Target } from './configuration.ts';
import { makeHeartbeat } from './heartbeat.ts';
import { Inventory } from './inventory.ts';
import { type EventContent, Recorder } from './recorder.ts';
import { ProbeState } from './state.ts';

export interface ProbeParts {
  readonly version: string;
  readonly sandbox: SandboxParts;
  readonly log: (event: string, fields: object) => void;
}

/** Targets are assessed up to this fraction of their interval earlier, so that probes do not all work at once. */
const jitter = 0.1;
/** Milliseconds for the last events when the probe stops, and for its last heartbeat. */
const flushMs = 4_000;
const lastHeartbeatMs = 1_000;
/** Milliseconds in which the service answers at the start. */
const contactMs = 5_000;

const target = '/functions/v1/events-ingest';

interface FailingTarget {
  readonly name: string;
  readonly errorCode: string | undefined;
}

/** Assesses targets on a schedule and sends the events. All of it is in one folder, which one process uses at a time. */
export class Probe {
  readonly #configuration: ProbeConfiguration;
  readonly #parts: ProbeParts;
  readonly #spool: Spool;
  readonly #state: ProbeState;
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  readonly #connection: ServiceConnection;
  readonly #sender: Sender;
  readonly #lock: FolderLock;
  readonly #inventory: Inventory;
  #seeing: Promise<void> | undefined;
  #intervalSeconds: number;
  /** The newest heartbeat states that events wait. */
  #statedBehind = false;

  private constructor(
    configuration: ProbeConfiguration,
    parts: ProbeParts,
    { spool, state, lock }: { spool: Spool; state: ProbeState; lock: FolderLock },
  ) {
    this.#configuration = configuration;
    this.#parts = parts;
    this.#spool = spool;
    this.#state = state;
    this.#lock = lock;
    this.#clock = new Clock(state.clockOffset);
    const identity = { name: configuration.name, version: parts.version, instance: state.instance };
    this.#recorder = new Recorder(identity, this.#clock, spool);
    this.#connection = new ServiceConnection(configuration.service, this.#clock);
    const { log } = parts;
    this.#sender = new Sender({ spool, connection: this.#connection, clock: this.#clock, target, log });
    this.#intervalSeconds = configuration.heartbeatSeconds;
    this.#inventory = new Inventory(configuration.targets);
  }

  /** @throws FolderInUse, OpenToOthers, SpoolUnusable, and the error of a folder that cannot be used */
  static async open(configuration: ProbeConfiguration, parts: ProbeParts): Promise<Probe> {
    const { folder, ...limits } = configuration.spool;
    await requirePrivateFiles(configuration);
    await makeFolder(folder, 0o700);
    const lock = await lockFolder(folder);
    const spool = await Spool.open(folder, limits);
    const state = await ProbeState.open(folder);
    await state.keepOnly(configuration.targets);
    return new Probe(configuration, parts, { spool, state, lock });
  }

  /**
   * Runs until stopped: assesses each target at its interval, sends a heartbeat, and sends what is in the spool.
   *
   * @param now assesses all targets at once, instead of when they are due
   * @throws SpoolUnusable
   */
  async run(signal: AbortSignal, now: boolean): Promise<void> {
    if (!now) await this.#contact(signal);
    await workTogether(this.#configuration.spool.folder, signal, [
      end => this.#keepSending(end),
      end => this.#keepBeating(end),
      end => this.#keepAssessing(end, now),
    ]);
  }

  /** Sends what is in the spool, and then a last heartbeat, so that the service knows that nothing waits. */
  async finish(): Promise<void> {
    if (!(await this.flush(flushMs))) return;
    await this.#recorder.record([this.#heartbeat()]);
    await this.flush(lastHeartbeatMs);
  }

  /**
   * Sends what is in the spool, for a limited time.
   *
   * @returns whether everything was sent
   */
  async flush(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    await this.#recorder.reportDropped();
    return withinTime(milliseconds, signal, limited => this.#sender.drain(limited));
  }

  /**
   * Assesses every target once and sends everything.
   *
   * @returns whether everything was sent; the rest stays in the spool. And the targets that could not be assessed
   */
  async runOnce(signal: AbortSignal, sendMs: number): Promise<{ isSent: boolean; failing: FailingTarget[] }> {
    // When it runs again is decided elsewhere: the interval of its targets is the best guess.
    const { heartbeatSeconds, targets } = this.#configuration;
    this.#intervalSeconds = Math.max(
      heartbeatSeconds,
      Math.min(...targets.map(target => target.everySeconds)),
    );
    await this.#contact(signal);
    for (const target of targets) await this.#assess(target, signal);
    // The heartbeat states what is left of the rest.
    const isSent = await this.flush(sendMs, signal);
    await this.#beat();
    await this.#seeing;
    const failing = targets.flatMap(target => {
      const { state, errorCode } = this.#state.of(target);
      return state === 'failing' ? [{ name: target.name, errorCode }] : [];
    });
    return { isSent: isSent && (await this.flush(sendMs, signal)), failing };
  }

  async close(): Promise<void> {
    await this.#seeing;
    this.#connection.close();
    await this.#state.rememberClock(this.#clock.offset);
    await this.#spool.close();
    await this.#lock.release();
  }

  get waitingEvents(): number {
    return this.#spool.stats().events;
  }

  async #keepSending(signal: AbortSignal): Promise<void> {
    await keepSending(this.#spool, signal, async () => {
      await this.#recorder.reportDropped();
      await this.#sender.drain(signal);
      await this.#state.rememberClock(this.#clock.offset);
      // The newest heartbeat states events that are sent now.
      if (this.#statedBehind && this.waitingEvents === 0 && !signal.aborted)
        await this.#recorder.record([this.#heartbeat()]);
    });
  }

  async #keepBeating(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#beat();
      await sleep(this.#configuration.heartbeatSeconds * 1000, signal);
    }
  }

  async #keepAssessing(signal: AbortSignal, now: boolean): Promise<void> {
    const { targets } = this.#configuration;
    // A restart is how a target that failed is tried again: its password may be in the environment.
    const isDue = (target: Target) => now || this.#state.of(target).state === 'failing';
    const due = new Map(targets.map(target => [target, isDue(target) ? 0 : this.#dueAt(target)]));
    while (!signal.aborted) {
      const [[next, at] = []] = [...due].sort(([, a], [, b]) => a - b);
      if (!next || at === undefined) return aborted(signal);
      await sleep(at - this.#clock.now(), signal);
      if (signal.aborted) return;
      await this.#assess(next, signal);
      due.set(next, this.#dueAt(next));
    }
  }

  /** When the target is due, in milliseconds by the service's clock: at once if it was never assessed. */
  #dueAt(target: Target): number {
    const { checkedAt } = this.#state.of(target);
    if (checkedAt === null) return 0;
    const last = Date.parse(checkedAt);
    // A time in the future comes from a clock that was corrected.
    if (last > this.#clock.now()) return 0;
    return last + target.everySeconds * 1000 * (1 - jitter * Math.random());
  }

  /** Asks the service for the time with an empty batch, which it refuses. It may be down: then events wait. */
  async #contact(signal: AbortSignal): Promise<void> {
    const ask = (limited: AbortSignal) => this.#connection.post(target, batchOf([]), limited);
    await withinTime(contactMs, signal, ask).catch(() => {});
  }

  async #assess(target: Target, signal: AbortSignal): Promise<void> {
    const { log, sandbox } = this.#parts;
    const before = this.#state.of(target);
    try {
      const timestamp = () => this.#clock.timestamp();
      const { maskKey } = this.#state;
      const options = { sandbox, maskKey, timestamp, signal, log };
      const { events, memory } = await assess(target, before, options);
      await this.#recorder.record(events);
      // After the events are durable: a probe that is killed in between assesses the target again.
      await this.#state.remember(target, memory);
      log('target.assessed', { target: target.name, state: memory.state, error_code: memory.errorCode });
    } catch (error) {
      if (signal.aborted) return;
      log('target.not_assessed', { target: target.name, message: String(error) });
      const checkedAt = this.#clock.timestamp();
      await this.#state.remember(target, {
        ...before,
        state: 'failing',
        errorCode: 'crashed',
        checkedAt,
      });
    }
    const { state, errorCode } = this.#state.of(target);
    // The cause is only in heartbeats: the next one may be due in a day.
    if (state !== before.state || errorCode !== before.errorCode) await this.#beat();
  }

  async #beat(): Promise<void> {
    await this.#spool.expire();
    await this.#recorder.record([this.#heartbeat()]);
    // Name servers may be slow: heartbeats do not wait for them.
    this.#seeing ??= this.#reportInventory()
      .catch(error => this.#parts.log('inventory.not_reported', { message: String(error) }))
      .finally(() => {
        this.#seeing = undefined;
      });
  }

  /** Databases and websites of this machine that are no targets, when others than before are seen, and once per start. */
  async #reportInventory(): Promise<void> {
    if (!this.#configuration.reportsInventory) return;
    const seen = await this.#inventory.changed();
    if (seen) await this.#recorder.record([{ kind: 'probe.inventory', seen }]);
  }

  #heartbeat(): EventContent {
    const memory = (target: Target) => this.#state.of(target);
    const { targets } = this.#configuration;
    const startedAt = this.#clock.processStartedAt();
    const stats = this.#spool.stats();
    this.#statedBehind = stats.events > 0;
    return makeHeartbeat(targets, memory, startedAt, this.#intervalSeconds, stats);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
