import { randomBytes } from 'node:crypto';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { AnonymousRead, SupabaseCapture } from '../../captures/supabase.ts';
import { isAnonymousKey, keyHeaders } from './keys.ts';
import { type ProjectApi, reasonOf } from './project-api.ts';
import { type PlacedTable, placedTables, unlistedTables } from './table-places.ts';
import { TableReader } from './table-reader.ts';

type Headers = Readonly<Record<string, string>>;
type Tables = Extract<SupabaseCapture['tables'], { assessed: true }>['value'];

/**
 * Tests for each table, as an anonymous user, whether a row is visible. No row is sent: HEAD has no body, and GET is
 * limited to zero rows. The service key is never sent.
 *
 * @param anonKey the public key if it is stored; a REST API without a gateway needs none
 * @param openPlaces places of open findings, also requested if the API no longer lists their tables
 */
export async function readAnonymously(
  api: ProjectApi,
  tables: Tables,
  anonKey: string | undefined,
  openPlaces: readonly string[],
): Promise<Assessment<readonly AnonymousRead[]>> {
  const headers = await anonymousHeaders(api, anonKey);
  if (!headers.assessed) return headers;
  const reader = new TableReader(api, headers.value);
  const listed = placedTables(tables.list);
  const reads: AnonymousRead[] = [];
  for (const table of listed) reads.push(await reader.read(table));
  for (const candidates of unlistedTables(openPlaces, listed, tables.schemas)) {
    reads.push(await readUnlisted(reader, candidates));
  }
  // A firewall that started to block requests during the scan refuses independently of tables.
  const isStill = await isAnswered(api, headers.value).catch(() => false);
  return { assessed: true, value: isStill ? reads : reads.map(withoutRefusal) };
}

/** The first of these that exists, or the last one tried. */
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
    'the REST API stopped answering anonymous requests during the scan, so that its refusals prove nothing.';
  return { ...read, rows: notAssessed(reason) };
}

/** The headers with which the API answers an anonymous user. */
async function anonymousHeaders(api: ProjectApi, anonKey: string | undefined): Promise<Assessment<Headers>> {
  try {
    if (await isAnswered(api, {})) return { assessed: true, value: {} };
    if (anonKey === undefined)
      return notAssessed('The project requires an anonymous key, and none is stored: store it as anon_key.');
    if (!isAnonymousKey(anonKey))
      return notAssessed('The stored anon_key is not an anonymous or publishable key.');
    if (await isAnswered(api, keyHeaders(anonKey))) return { assessed: true, value: keyHeaders(anonKey) };
    return notAssessed('The project rejects the stored anon_key.');
  } catch (error) {
    return notAssessed(reasonOf(error));
  }
}

/**
 * Whether the API reports a random table as not found, which shows that it gave the request a role. A request without a
 * role is refused earlier, independently of tables.
 */
async function isAnswered(api: ProjectApi, headers: Headers): Promise<boolean> {
  const { status, header } = await api.head(
    `/rest/v1/no_such_${randomBytes(6).toString('hex')}?limit=1`,
    headers,
  );
  return status === 404 && /^application\/json\b/i.test(header('content-type') ?? '');
}
