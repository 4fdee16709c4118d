import { randomBytes } from 'node:crypto';
import type { Assessment } from '../../captures/assessment.ts';
import type { AnonymousRead, SupabaseCapture } from '../../captures/supabase.ts';
import { isAnonymousKey, keyHeaders } from './keys.ts';
import { type ProjectApi, reasonOf } from './project-api.ts';
import { type PlacedTable, placedTables, unlistedTables } from './table-places.ts';
import { TableReader } from './table-reader.ts';

type Headers = Readonly<Record<string, string>>;
type Tables = Extract<SupabaseCapture['tables'], { assessed: true }>['value'];

/**
 * Asks as a stranger, table by table, whether a row is visible. No row is sent: HEAD has no body, and GET asks for none.
 * The service key is never part of it.
 *
 * @param anonKey the public key where one is known; a REST API without a gateway asks for none
 * @param openPlaces places of open findings, asked for also where the API no longer lists their tables
 */
export async function readAsStranger(
  api: ProjectApi,
  tables: Tables,
  anonKey: string | undefined,
  openPlaces: readonly string[],
): Promise<Assessment<readonly AnonymousRead[]>> {
  const headers = await strangersHeaders(api, anonKey);
  if (!headers.assessed) return headers;
  const reader = new TableReader(api, headers.value);
  const listed = placedTables(tables.list);
  const reads: AnonymousRead[] = [];
  for (const table of listed) reads.push(await reader.read(table));
  for (const candidates of unlistedTables(openPlaces, listed, tables.schemas)) {
    reads.push(await readUnlisted(reader, candidates));
  }
  // Something that starts to block requests in between refuses without saying anything about tables.
  const isStill = await isHeard(api, headers.value).catch(() => false);
  return { assessed: true, value: isStill ? reads : reads.map(withoutRefusal) };
}

/** The first of these that is there, or one that is not. */
async function readUnlisted(reader: TableReader, candidates: readonly PlacedTable[]): Promise<AnonymousRead> {
  let last: AnonymousRead | undefined;
  for (const table of candidates) {
    last = await reader.read(table);
    if (!last.rows.assessed || last.rows.value !== 'absent') return last;
  }
  return last!;
}

function withoutRefusal(read: AnonymousRead): AnonymousRead {
  const isRefusal = read.rows.assessed && ['denied', 'absent'].includes(read.rows.value);
  if (!isRefusal) return read;
  const reason =
    'the REST API stopped answering strangers during the scan, so that its refusals say nothing.';
  return { ...read, rows: { assessed: false, reason } };
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
