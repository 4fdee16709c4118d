import type { Assessment } from '../../captures/assessment.ts';
import type { SupabaseTable } from '../../captures/supabase.ts';

export interface PlacedTable extends SupabaseTable {
  /** The locator of findings about it: see `AnonymousRead`. */
  readonly place: string;
}

/** Tables with their places. The meaning of a place depends on the order: earlier tables have the short ones. */
export function placedTables(tables: readonly SupabaseTable[]): readonly PlacedTable[] {
  const taken = new Set<string>();
  return tables.map(table => {
    const place = taken.has(table.name) ? `${table.schema}.${table.name}` : table.name;
    taken.add(place);
    return { ...table, place };
  });
}

/**
 * For each of these places without a listed table, all tables that it may refer to.
 *
 * @param places as written in findings, with escaped non-ASCII characters
 */
export function unlistedTables(
  places: readonly string[],
  listed: readonly PlacedTable[],
  schemas: Assessment<readonly string[]>,
): readonly (readonly PlacedTable[])[] {
  const known = new Set(listed.map(({ place }) => place));
  const several = schemas.assessed && schemas.value.length > 1 ? schemas.value : [null];
  return [...new Set(places.map(readable))]
    .filter(place => !known.has(place))
    .map(place =>
      several.flatMap(schema => {
        const isQualified = schema !== null && place.startsWith(`${schema}.`);
        const names = isQualified ? [place, place.slice(schema.length + 1)] : [place];
        return names.map(name => ({ schema, name, columns: [], place }));
      }),
    );
}

const readable = (place: string) =>
  place.replace(/\\u\{([0-9a-f]{1,6})\}/g, (spelled, code: string) => {
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : spelled;
  });
