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
import { type AlertDecisions, LocalApi, LocalApiError, type LocalApiOptions } from './local-api.ts';
import { readAlerts, readDecisions } from './read-answers.ts';

/** What was stored last. */
export interface CrowdsecState {
  /** The newest alerts of the last answer: their numbers, and when they were created. */
  readonly alerts: readonly Pick<ShieldAlert, 'alert' | 'created_at'>[];
  /** The highest number of an active decision. */
  readonly decision: number;
}

export const initialCrowdsecState: CrowdsecState = { alerts: [], decision: 0 };

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

/** Alerts that are read of one answer: each has up to a hundred lines of logs with it. */
const usualAlerts = 50;
/** Where there are more new ones, answers of this many follow. */
const furtherAlerts = 100;
const mostAnswers = 6;

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
  const api = new LocalApi(options.api, signal);
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

/**
 * Adds events of new alerts. They are recognized by the last answer, and not by the highest number or time so far: one that is wrong, or
 * of a database that was set up again, would hide all later alerts.
 *
 * @returns the state after them
 */
async function newAlerts(
  api: LocalApi,
  state: CrowdsecState,
  { strip, identity }: ForwardCrowdsecOptions,
  events: ShieldEvent[],
): Promise<CrowdsecState> {
  const before = new Set(state.alerts.map(nameOf));
  const last = state.alerts.reduce((highest, { alert }) => Math.max(highest, alert), 0);
  // Where newer ones were deleted, the answer has earlier ones again.
  const since = state.alerts.length < usualAlerts ? '' : state.alerts.at(-1)!.created_at;
  const isNew = (one: ShieldAlert) =>
    !before.has(nameOf(one)) && (one.created_at > since || (one.created_at === since && one.alert > last));
  const answers = [
    await readNewest(api, 'of_own', strip, isNew),
    await readNewest(api, 'none', strip, isNew),
  ];
  const byName = new Map(answers.flatMap(({ read }) => read.map(one => [nameOf(one), one] as const)));
  const read = [...byName.values()].sort(newestFirst);
  const alerts = read.filter(isNew).sort((a, b) => a.alert - b.alert);
  // Numbers that are missing may also be those of shared lists.
  const missing = Math.max(0, (alerts.at(-1)?.alert ?? 0) - last - alerts.length);
  const leftOut = answers.reduce((sum, one) => sum + one.leftOut, 0);
  const unread = answers.some(({ isCut }) => isCut) ? missing : Math.min(leftOut, missing);
  // Those before the first answer were not missed.
  const more = last === 0 ? 0 : unread;
  inParts(alerts, shieldBounds.alerts).forEach((part, index) => {
    events.push({
      ...envelopeOf(identity, now()),
      kind: 'shield.alerts',
      alerts: part,
      more: index === 0 ? more : 0,
    });
  });
  if (read.length === 0) return state;
  const known = read.slice(0, usualAlerts);
  return { ...state, alerts: known.map(({ alert, created_at }) => ({ alert, created_at })) };
}

const nameOf = ({ alert, created_at }: CrowdsecState['alerts'][number]) => `${alert} ${created_at}`;

/**
 * Reads alerts, newest first, up to one that is not new.
 *
 * @returns the alerts; how many were left out; and whether new ones were not read
 */
async function readNewest(
  api: LocalApi,
  decisions: AlertDecisions,
  { clients }: ForwardCrowdsecOptions['strip'],
  isNew: (one: ShieldAlert) => boolean,
): Promise<{ read: ShieldAlert[]; leftOut: number; isCut: boolean }> {
  const read = new Map<string, ShieldAlert>();
  let [leftOut, isCut] = [0, true];
  let upTo: string | undefined;
  for (let answers = 0; answers < mostAnswers && isCut; answers++) {
    const limit = answers === 0 ? usualAlerts : furtherAlerts;
    const { size } = read;
    let [entries, known] = [0, 0];
    try {
      for await (const entry of api.alerts(decisions, limit, upTo)) {
        const [alert] = readAlerts([entry], clients);
        if (alert) read.set(nameOf(alert), alert);
        else leftOut += 1;
        if (alert && !isNew(alert)) known += 1;
        entries += 1;
        if (entries === limit) break;
      }
    } catch (error) {
      // If so many are too large, the others are counted.
      if (answers === 0) throw error;
      break;
    }
    isCut = entries === limit && known === 0;
    if (read.size === size) break;
    upTo = [...read.values()].sort(newestFirst).at(-1)?.created_at;
  }
  return { read: [...read.values()], leftOut, isCut };
}

function newestFirst(a: ShieldAlert, b: ShieldAlert): number {
  return a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.alert - a.alert;
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
  const active = { crowdsec: 0, cscli: 0, capi: 0, lists: 0, other: 0 };
  let last = 0;
  let newest: ShieldDecision[] = [];
  const keepNewest = () => newest.sort((a, b) => b.decision - a.decision).slice(0, shieldBounds.current);
  for await (const entry of api.decisions()) {
    for (const decision of readDecisions([entry], strip.clients)) {
      active[decision.origin] += 1;
      last = Math.max(last, decision.decision);
      // Lists of others have thousands.
      if (decision.origin !== 'capi' && decision.origin !== 'lists') newest.push(decision);
    }
    if (newest.length >= 2 * shieldBounds.current) newest = keepNewest();
  }
  newest = keepNewest();
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
    last,
    known: new Set(newest.map(({ decision }) => decision)),
  };
}
