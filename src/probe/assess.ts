import { randomUUID } from 'node:crypto';
import { readSecret, SecretMissing } from '../agent/secrets.ts';
import type { ConnectionCause, DeathCause } from '../contract/causes.ts';
import type { DetectorReport } from '../contract/probe-events.ts';
import type { Credential } from '../contract/sources.ts';
import { portsOf } from '../domain/host.ts';
import { SandboxDied } from '../sandbox/died.ts';
import { taskLimits } from '../sandbox/limits.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { boundDetections } from '../scan/bound-results.ts';
import { type Facts, factsForm, isAssessed } from '../scan/facts.ts';
import { maskTexts } from '../scan/mask-texts.ts';
import { detectorsNamed, planSource, revisitedChecks } from '../scan/plan.ts';
import { reportOf } from '../scan/probe-report.ts';
import type { DetectorResult } from '../scan/run-detectors.ts';
import type { Target, TargetLogin } from './configuration.ts';
import { driftEvents, knownFacts } from './drift.ts';
import type { EventContent } from './recorder.ts';
import type { TargetMemory } from './state.ts';
import { addressesOf } from './target-addresses.ts';

/** How sandbox processes are started, and what they send to websites. */
export interface SandboxParts {
  /** Default: the built one of the service. */
  readonly spawner?: ConstructorParameters<typeof Sandbox>[0]['spawner'];
  readonly userAgent: string;
}

export interface Assessment {
  /** At least one. */
  readonly events: readonly EventContent[];
  readonly memory: TargetMemory;
}

interface AssessOptions {
  readonly sandbox: SandboxParts;
  /** Secrets in names are masked with it. */
  readonly maskKey: string;
  /** Time by the service's clock. */
  readonly timestamp: () => string;
  readonly signal: AbortSignal;
  readonly log: (event: string, fields: object) => void;
}

/** Bytes of the observations and assessed places of a detector, as JSON, so that its report fits in an event. */
const perDetector = { placesBytes: 120 * 1024, assessedPlacesBytes: 40 * 1024 };

/** Bytes of the reports of an event, as JSON: with the envelope, it fits in a request. */
const perEvent = 200 * 1024;

/**
 * Assesses a target with the surfaces and detectors of the service, in a sandbox process. A target that cannot be
 * reached is a result. Rejects only when aborted or because of a bug.
 */
export async function assess(
  target: Target,
  memory: TargetMemory,
  options: AssessOptions,
): Promise<Assessment> {
  const started_at = options.timestamp();
  const planned = planSource(target, { profile: 'safe_all_surfaces', category: null });
  const common = {
    kind: 'probe.assessment',
    assessment_id: randomUUID(),
    source_id: target.sourceId,
    started_at,
    planned,
  } as const;
  const inspected = await inspectTarget(target, planned, memory, options);
  const looked = { ...memory, checkedAt: started_at };
  if ('failure' in inspected) {
    const { failure } = inspected;
    return {
      events: [{ ...common, error_code: failure, results: [] }],
      memory: { ...looked, state: 'failing', errorCode: failure, latencyMs: 0 },
    };
  }
  const reports = detectorsNamed(target.kind, planned).flatMap(detector => {
    const result = inspected.results.find(({ detector: name }) => name === detector.name);
    return result ? [maskTexts(reportOf(detector, fitted(result)), options.maskKey)] : [];
  });
  const { errorCode: _, ...before } = looked;
  const last: Partial<TargetMemory> = memory.factsForm === factsForm ? memory : {};
  const facts = knownFacts(last.facts, inspected.facts);
  const drift = driftEvents(target.sourceId, last, facts);
  const times = Object.fromEntries(inspected.facts.filter(isAssessed).map(([area]) => [area, started_at]));
  return {
    events: [...inEvents(reports).map(results => ({ ...common, results })), ...drift],
    memory: {
      ...before,
      state: 'ok',
      latencyMs: inspected.latencyMs,
      ...openPlacesOf(target, inspected.results),
      facts,
      factsAt: { ...last.factsAt, ...times },
      factsForm,
    },
  };
}

type Inspected =
  | { readonly failure: ConnectionCause | DeathCause }
  | { readonly results: readonly DetectorResult[]; readonly facts: Facts; readonly latencyMs: number };

async function inspectTarget(
  target: Target,
  detectors: readonly string[],
  { openPlaces, openSubjects }: TargetMemory,
  { sandbox: { spawner, userAgent }, maskKey, signal, log }: AssessOptions,
): Promise<Inspected> {
  let credential: Credential | undefined;
  try {
    credential = await credentialOf(target, signal);
  } catch (error) {
    if (!(error instanceof SecretMissing)) throw error;
    log('target.secret_missing', { target: target.name, message: error.message });
    return { failure: 'credential_missing' };
  }
  // The configuration names the host, so it may be private.
  const ownPlace = {
    addresses: await addressesOf(target.host),
    ports: portsOf(target.kind, target.host),
  };
  const sandbox = new Sandbox({
    settings: {
      allowlist: target.networks,
      ownPlace,
      userAgent,
      ...(target.authorities ? { authorities: target.authorities } : {}),
    },
    processes: 1,
    isBackground: true,
    ...(spawner ? { spawner } : {}),
    log,
  });
  const { kind, host } = target;
  const source = { id: target.sourceId, kind, host, connection_mode: 'direct', credential } as const;
  const task = { organizationId: 'probe', signal };
  try {
    const test = await sandbox.run('test_connection', { source }, { ...task, limits: taskLimits.connection });
    if (!test.ok) return { failure: test.errorCode };
    const input = {
      source,
      detectors,
      depth: 'safe',
      proof: null,
      place: null,
      openPlaces,
      openSubjects,
      maskKey,
    } as const;
    const result = await sandbox.run('inspect', input, { ...task, limits: taskLimits.safe });
    return 'unreachable' in result
      ? { failure: result.unreachable }
      : { results: result.results, facts: result.facts ?? [], latencyMs: test.latencyMs };
  } catch (error) {
    if (error instanceof SandboxDied) return { failure: error.deathCause };
    throw error;
  } finally {
    await sandbox.close();
  }
}

async function credentialOf(target: Target, signal: AbortSignal): Promise<Credential | undefined> {
  const { login } = target;
  switch (login.type) {
    case 'none':
      return target.kind === 'redis' ? dsnOf(target, '') : undefined;
    case 'header':
      return { type: 'header', name: login.name, value: await readSecret(login.value, signal) };
    case 'service_role': {
      const anon_key = login.anonKey && (await readSecret(login.anonKey, signal));
      const key = await readSecret(login.key, signal);
      return { type: 'service_role', url: `https://${target.host}`, key, ...(anon_key ? { anon_key } : {}) };
    }
    case 'password':
      return passwordOf(target, login, signal);
  }
}

async function passwordOf(
  target: Target,
  { user, password }: Extract<TargetLogin, { type: 'password' }>,
  signal: AbortSignal,
): Promise<Credential> {
  const secret = await readSecret(password, signal);
  if (target.kind === 'website') return { type: 'basic', username: user, password: secret };
  return dsnOf(target, `${encodeURIComponent(user)}:${encodeURIComponent(secret)}@`);
}

/** @param login percent-encoded, with the `@` */
function dsnOf({ kind, host, database, tls }: Target, login: string): Credential {
  if (kind === 'redis') return { type: 'dsn', dsn: `${tls ? 'rediss' : 'redis'}://${login}${host}` };
  const scheme = kind === 'mysql' ? 'mysql' : 'postgresql';
  const path = database === undefined ? '' : `/${encodeURIComponent(database)}`;
  return { type: 'dsn', dsn: `${scheme}://${login}${host}${path}${tls ? '' : '?sslmode=disable'}` };
}

/** The same result with fewer places, if they do not fit in an event. */
function fitted(result: DetectorResult): DetectorResult {
  if (!result.detection) return result;
  const places = new Map(result.detection.places.map(([check, assessed]) => [check, new Set(assessed)]));
  const [detection] = boundDetections([{ ...result.detection, places }], perDetector);
  return { ...result, detection: detection! };
}

/** Groups the reports into events that fit in a request. */
function inEvents(reports: readonly DetectorReport[]): DetectorReport[][] {
  const events: DetectorReport[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const report of reports) {
    const size = Buffer.byteLength(JSON.stringify(report)) + 1;
    if (bytes + size > perEvent) {
      events.push([]);
      bytes = 0;
    }
    events.at(-1)!.push(report);
    bytes += size;
  }
  return events;
}

/** Places and pages that are remembered of a target. */
const mostOpen = 20;

function openPlacesOf(
  target: Target,
  results: readonly DetectorResult[],
): Pick<TargetMemory, 'openPlaces' | 'openSubjects'> {
  const names = results.map(({ detector }) => detector);
  const revisited = new Set(revisitedChecks(detectorsNamed(target.kind, names)));
  const observations = results.flatMap(({ detection }) => detection?.observations ?? []);
  const places = observations.filter(({ check }) => revisited.has(check)).map(({ locator }) => locator);
  const subjects = results.flatMap(({ detection, subject }) =>
    subject && detection && detection.observations.length > 0 ? [subject.at] : [],
  );
  return {
    openPlaces: [...new Set(places)].slice(0, mostOpen),
    openSubjects: [...new Set(subjects)].slice(0, mostOpen),
  };
}
