import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { SupabaseCapture } from '../../captures/supabase.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { ConnectionTestOptions } from '../connection/connection-test.ts';
import { connectionErrorCode } from '../connection/failure.ts';
import { Budget } from '../website/budget.ts';
import { redacted } from '../website/find.ts';
import { HttpClient } from '../website/http-client.ts';
import { readAnonymously } from './anonymous.ts';
import { keyHeaders } from './keys.ts';
import { originFor } from './origin.ts';
import { type ApiAnswer, ProjectApi, reasonOf } from './project-api.ts';
import { readBuckets, readRights, readSignUp } from './read-answers.ts';
import { askForTables, tablesOf } from './schemas.ts';

interface SupabaseOptions extends ConnectionTestOptions<'service_role'> {
  readonly userAgent: string;
  /** The locator of the finding to verify, and those of open findings whose tables are requested again. */
  readonly place?: string;
  readonly openPlaces?: readonly string[];
}

const limits = { requests: 400, bytes: 8 * 1024 * 1024, totalMs: 60_000, requestMs: 5_000 };

/**
 * Collects what the Supabase detectors read: GET and HEAD requests to one origin, one at a time, at most 400 of them,
 * 60 seconds and 8 MB. Every request is listed in docs/databases/supabase.md.
 *
 * @param host as stored on the source
 * @throws ConnectionFailed if the API cannot be reached, refuses the service key or is not a Supabase API
 * @throws the signal's reason if aborted
 */
export async function collectSupabase(host: string, options: SupabaseOptions): Promise<SupabaseCapture> {
  options.signal.throwIfAborted();
  const { key, anon_key } = options.credential;
  const places = [...(options.place === undefined ? [] : [options.place]), ...(options.openPlaces ?? [])];
  const origin = originFor(host, options.credential);
  const budgetMs = options.budgetMs ?? limits.totalMs;
  const client = new HttpClient({
    guard: options.guard,
    budget: new Budget(options.signal, { ...limits, totalMs: budgetMs }),
    userAgent: options.userAgent,
    trustedRoots: options.trustedRoots ?? [],
    redact: text => redacted(text, key),
  });
  try {
    const capture = await collect(new ProjectApi(client, origin), key, anon_key ?? undefined, places);
    options.signal.throwIfAborted();
    const { tables, buckets, sign_up, rights } = capture;
    // Many websites answer every request with something.
    if (![tables, buckets, sign_up, rights].some(({ assessed }) => assessed)) {
      throw new ConnectionFailed('protocol_invalid');
    }
    return capture;
  } catch (error) {
    options.signal.throwIfAborted();
    throw new ConnectionFailed(connectionErrorCode(error));
  } finally {
    await client.close();
  }
}

async function collect(
  api: ProjectApi,
  key: string,
  anonKey: string | undefined,
  places: readonly string[],
): Promise<SupabaseCapture> {
  const collected_at = new Date().toISOString();
  const service = keyHeaders(key);
  const root = await askForTables(api, service, null);
  assertAnswered(root);
  const tables = await tablesOf(api, service, root);
  const schemas = tables.assessed && tables.value.schemas.assessed ? tables.value.schemas.value : [];
  return {
    collected_at,
    tables,
    buckets: await part(() => api.get('/storage/v1/bucket', service), readBuckets, 'Storage'),
    sign_up: await part(() => api.get('/auth/v1/settings', service), readSignUp, 'Auth'),
    rights: await rightsOf(api, service, schemas),
    anonymous: tables.assessed ? await readAnonymously(api, tables.value, anonKey, places) : tables,
  };
}

/** @throws ConnectionFailed if further requests would fail as well */
function assertAnswered({ status }: ApiAnswer): void {
  if (status === 401 || status === 403) throw new ConnectionFailed('auth_failed');
  if (status === 429 || status >= 500) throw new ConnectionFailed('http_error');
}

async function part<T>(
  ask: () => Promise<ApiAnswer>,
  read: (answer: unknown) => T | undefined,
  name: string,
): Promise<Assessment<T>> {
  try {
    const { status, json } = await ask();
    const value = status === 200 ? read(json) : undefined;
    if (value !== undefined) return { assessed: true, value };
    return notAssessed(`The project's ${name} API returned no valid answer: it answered ${status}.`);
  } catch (error) {
    return notAssessed(reasonOf(error));
  }
}

/** Grants and policies come from postgres-meta, which self-hosted projects offer to the service key. */
async function rightsOf(
  api: ProjectApi,
  service: Readonly<Record<string, string>>,
  schemas: readonly string[],
): Promise<SupabaseCapture['rights']> {
  const included = [...new Set(['public', ...schemas])].map(encodeURIComponent).join(',');
  const answers: unknown[] = [];
  for (const path of ['tables?include_columns=false&', 'table-privileges?', 'policies?']) {
    try {
      const { status, json } = await api.get(`/pg/${path}included_schemas=${included}`, service);
      if (status !== 200) break;
      answers.push(json);
    } catch (error) {
      return notAssessed(reasonOf(error));
    }
  }
  const value = readRights(answers[0], answers[1], answers[2]);
  if (value !== undefined) return { assessed: true, value };
  return notAssessed(
    'The project does not show grants and policies at /pg/: connect its database as a source of kind postgres.',
  );
}
