import { randomBytes } from 'node:crypto';
import type { Assessment } from '../../evidence/assessment.ts';
import type { AnonymousRead, SupabaseTable } from '../../evidence/supabase.ts';
import { BudgetSpent } from '../website/budget.ts';
import { isHeaderValue, keyHeaders } from './origin.ts';
import { type ProjectApi, reasonOf } from './project-api.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Asks as a stranger, table by table, whether a row is visible. HEAD, so that none is sent, and for one row at most,
 * so that none is counted. The service key is never part of it.
 *
 * @param anonKey the public key where one is known; a REST API without a gateway asks for none
 */
export async function readAsStranger(
  api: ProjectApi,
  tables: readonly SupabaseTable[],
  anonKey: string | undefined,
): Promise<Assessment<readonly AnonymousRead[]>> {
  const headers = await strangersHeaders(api, anonKey);
  if (!headers.assessed) return headers;
  const reads: AnonymousRead[] = [];
  for (const { name } of tables) {
    reads.push({ table: name, rows: await rowsOf(api, name, headers.value) });
  }
  return { assessed: true, value: reads };
}

/** What a stranger has to send in order to be heard. */
async function strangersHeaders(api: ProjectApi, anonKey: string | undefined): Promise<Assessment<Headers>> {
  try {
    if (await isHeard(api, {})) return { assessed: true, value: {} };
    if (anonKey === undefined) {
      return {
        assessed: false,
        reason:
          'The anonymous key is not known, and the project answers nobody without one: store it as anon_key.',
      };
    }
    if (!isAnonymousKey(anonKey)) {
      return { assessed: false, reason: 'The stored anon_key is not an anonymous or publishable key.' };
    }
    if (await isHeard(api, keyHeaders(anonKey))) return { assessed: true, value: keyHeaders(anonKey) };
    return { assessed: false, reason: 'The project does not take the stored anon_key.' };
  } catch (error) {
    return { assessed: false, reason: reasonOf(error) };
  }
}

/**
 * A table that nobody made is not found, once a role has been given to the request. Whoever gets no role is refused
 * before: its refusals would say nothing about tables.
 */
async function isHeard(api: ProjectApi, headers: Headers): Promise<boolean> {
  const { status, header } = await api.head(
    `/rest/v1/no_such_${randomBytes(6).toString('hex')}?limit=1`,
    headers,
  );
  return status === 404 && /^application\/json\b/i.test(header('content-type') ?? '');
}

/** A key that says of itself that it is for strangers: never one that opens everything. */
function isAnonymousKey(key: string): boolean {
  if (!isHeaderValue(key)) return false;
  if (key.startsWith('sb_publishable_')) return true;
  const [, payload = ''] = key.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null && 'role' in claims && claims.role === 'anon';
  } catch {
    return false;
  }
}

async function rowsOf(api: ProjectApi, table: string, headers: Headers): Promise<AnonymousRead['rows']> {
  try {
    const path = `/rest/v1/${encodeURIComponent(table)}?select=*&limit=1`;
    const { status, header } = await api.head(path, headers);
    if (status === 401 || status === 403) return { assessed: true, value: 'denied' };
    const range = header('content-range') ?? '';
    if (status === 200 || status === 206) {
      if (/^0-0\//.test(range)) return { assessed: true, value: 'visible' };
      if (/^\*\//.test(range)) return { assessed: true, value: 'none' };
    }
    return {
      assessed: false,
      reason: `The REST API answered ${status} without saying whether there are rows.`,
    };
  } catch (error) {
    const isSpent = error instanceof BudgetSpent;
    return { assessed: false, reason: isSpent ? error.message : reasonOf(error) };
  }
}
