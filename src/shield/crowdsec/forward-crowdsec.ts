import { sleep } from '../../agent/sleep.ts';
import {
  type ShieldAlert,
  type ShieldDecision,
  type ShieldDecisions,
  type ShieldEvent,
  type ShieldHeartbeat,
  shieldBounds,
} from '../../contract/shield-events.ts';
import { envelopeOf, inParts, now, processStartedAt } from '../make-events.ts';
import type { ForwarderIdentity, ShieldSink } from '../sink.ts';
import type { StripOptions } from '../strip/strip-request.ts';
import { LocalApi, LocalApiError, type LocalApiOptions } from './local-api.ts';
import { readAlerts, readDecisions } from './read-answers.ts';

/** The last alert and decision that were stored; their numbers grow. */
export interface CrowdsecState {
  readonly alert: number;
  /** When that alert was created; null without one. */
  readonly alertAt: string | null;
  readonly decision: number;
}

export const initialCrowdsecState: CrowdsecState = { alert: 0, alertAt: null, decision: 0 };

export interface ForwardCrowdsecOptions {
  readonly api: LocalApiOptions;
  readonly state: CrowdsecState;
  readonly strip: Pick<StripOptions, 'clients'>;
  readonly identity: ForwarderIdentity;
  readonly sink: ShieldSink<CrowdsecState>;
  readonly signal: AbortSignal;
  /** How often the local API is read, and a heartbeat is stored. */
  readonly pollSeconds?: number;
  /** How often active decisions are reported again: the service may have dropped them, or Shield may have been off. */
  readonly repeatSeconds?: number;
  /** Called when nothing can be read, once until it can. The message has no secret. */
  readonly onProblem?: (message: string) => void;
}

/**
 * Alerts that are read at once: each has up to a hundred lines of logs with it. The API sorts by the second of their creation, so that
 * the first is not always the one with the highest number.
 */
const usualAlerts = 50;
const maxAlerts = 500;

/**
 * Reads alerts and decisions of CrowdSec's local API and stores events about them, until the signal. Alerts require a machine's login, and
 * decisions a bouncer's key; what is not given is not read. While the API cannot be reached, heartbeats say so.
 *
 * Decisions are read as a list and not as a stream: the service remembers what it streamed to a key, so that what was received but not
 * stored would be lost.
 *
 * @throws if the sink fails
 */
export async function forwardCrowdsec(options: ForwardCrowdsecOptions): Promise<void> {
  const { identity, sink, signal, pollSeconds = 60, repeatSeconds = 3_600 } = options;
  const api = new LocalApi(options.api);
  let state = options.state;
  let active = '';
  let reported: string | undefined;
  let known: ReadonlySet<number> | undefined;
  let repeatedAt = performance.now();
  while (!signal.aborted) {
    const events: ShieldEvent[] = [];
    let next = state;
    let counts = active;
    let problem: ShieldHeartbeat['problem'] = null;
    const repeats = performance.now() - repeatedAt >= repeatSeconds * 1_000;
    try {
      if (options.api.machine !== undefined) next = await newAlerts(api, next, options, events);
      if (options.api.bouncerKey !== undefined) {
        const read = await newDecisions(api, next, repeats ? new Set() : known, options);
        known = read.known;
        if (repeats) repeatedAt = performance.now();
        next = { ...next, decision: read.last };
        counts = JSON.stringify(read.event.active);
        if (read.events.length > 0) events.push(...read.events);
        else if (repeats || counts !== active) events.push(read.event);
      }
    } catch (error) {
      // What was read is read again: its state is not stored.
      if (signal.aborted) return;
      if (!(error instanceof LocalApiError)) throw error;
      problem = error.problem;
      if (error.message !== reported) options.onProblem?.(error.message);
      reported = error.message;
    }
    if (problem === null) reported = undefined;
    events.push({
      ...envelopeOf(identity, now()),
      kind: 'shield.heartbeat',
      started_at: processStartedAt(),
      interval_seconds: Math.max(10, Math.ceil(pollSeconds)),
      firewall: { engine: 'crowdsec', version: null, mode: 'unknown', rule_set: null },
      problem,
      log: null,
      hosts: [],
    });
    await sink.put(events, next);
    state = next;
    active = counts;
    await sleep(pollSeconds * 1_000, signal);
  }
}

/** Adds events of new alerts. @returns the state after them */
async function newAlerts(
  api: LocalApi,
  state: CrowdsecState,
  { strip, identity }: ForwardCrowdsecOptions,
  events: ShieldEvent[],
): Promise<CrowdsecState> {
  const readNewest = async (limit: number) => readAlerts(await api.alerts(limit), strip.clients);
  let read = await readNewest(usualAlerts);
  const newest = read.reduce<ShieldAlert | undefined>(
    (highest, one) => (highest !== undefined && highest.alert > one.alert ? highest : one),
    undefined,
  );
  if (newest === undefined || newest.alert === state.alert) return state;
  // A lower number is an earlier alert, after the newest was deleted, or one of a database that was set up again.
  const isOfNewDatabase = newest.alert < state.alert && newest.created_at > (state.alertAt ?? '');
  if (newest.alert < state.alert && !isOfNewDatabase) return state;
  const since = isOfNewDatabase ? 0 : state.alert;
  const isNew = ({ alert }: ShieldAlert) => alert > since;
  if (read.length >= usualAlerts && read.every(isNew)) read = await readNewest(maxAlerts);
  const alerts = read.filter(isNew).sort((a, b) => a.alert - b.alert);
  // Numbers between the two were not read, unless there was no earlier state.
  const more = since === 0 || read.length < maxAlerts ? 0 : Math.max(0, alerts[0]!.alert - since - 1);
  inParts(alerts, shieldBounds.alerts).forEach((part, index) => {
    events.push({
      ...envelopeOf(identity, now()),
      kind: 'shield.alerts',
      alerts: part,
      more: index === 0 ? more : 0,
    });
  });
  const decision = isOfNewDatabase ? 0 : state.decision;
  return { alert: newest.alert, alertAt: newest.created_at, decision };
}

/**
 * Events of new decisions.
 *
 * @param known those that were reported before; undefined at the start, when those of the state were
 */
async function newDecisions(
  api: LocalApi,
  state: CrowdsecState,
  known: ReadonlySet<number> | undefined,
  { strip, identity }: ForwardCrowdsecOptions,
): Promise<{ events: ShieldDecisions[]; event: ShieldDecisions; last: number; known: Set<number> }> {
  const all = readDecisions(await api.decisions(), strip.clients);
  const active = { crowdsec: 0, cscli: 0, capi: 0, lists: 0, other: 0 };
  for (const { origin } of all) active[origin] += 1;
  const last = all.reduce((highest, { decision }) => Math.max(highest, decision), 0);
  // Lists of others have thousands.
  const own = all.filter(({ origin }) => origin !== 'capi' && origin !== 'lists');
  const newest = own.sort((a, b) => b.decision - a.decision).slice(0, shieldBounds.current);
  const isNew = ({ decision }: ShieldDecision) =>
    known === undefined ? decision > state.decision : !known.has(decision);
  const event = (decisions: ShieldDecision[], isLast: boolean): ShieldDecisions => ({
    ...envelopeOf(identity, now()),
    kind: 'shield.decisions',
    decisions,
    active,
    ...(isLast ? { current: newest.map(({ decision }) => decision) } : {}),
  });
  const parts = inParts(newest.filter(isNew), shieldBounds.decisions);
  return {
    events: parts.map((part, index) => event(part, index === parts.length - 1)),
    event: event([], true),
    last: Math.max(last, state.decision),
    known: new Set(all.map(({ decision }) => decision)),
  };
}
