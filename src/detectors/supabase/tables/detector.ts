import type { AnonymousRead, SupabaseCapture, SupabaseTableRights } from '../../../captures/supabase.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { printable } from '../../printable.ts';
import { isContactOf, isSensitiveName, isShownName } from '../sensitive-names.ts';
import { tablesChecks as checks } from './checks.ts';

/** What anonymous requests can do with the tables of the REST API. */
export const supabaseTablesDetector: Detector<SupabaseCapture> = {
  name: 'supabase.tables',
  surface: 'supabase',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    detectReadable(found, capture);
    const { tables } = capture;
    if (tables.assessed && !tables.value.schemas.assessed) {
      found.cannotAssess([checks.readable, checks.writable], tables.value.schemas.reason);
    }
    if (capture.rights.assessed) {
      for (const table of capture.rights.value) detectWritable(found, table);
    } else {
      found.cannotAssess([checks.writable], capture.rights.reason);
    }
  }),
};

function detectReadable(found: DetectionBuilder, { tables, anonymous }: SupabaseCapture) {
  if (!tables.assessed || !anonymous.assessed) {
    const reason = !tables.assessed ? tables.reason : anonymous.assessed ? '' : anonymous.reason;
    return found.cannotAssess([checks.readable], reason);
  }
  for (const read of anonymous.value) {
    if (!read.rows.assessed)
      found.cannotAssess([checks.readable], `${quoted(read.place, 63)}: ${read.rows.reason}`);
    else if (read.rows.value === 'visible') observeReadable(found, read);
  }
  const assessed = anonymous.value.filter(({ rows }) => rows.assessed);
  found.assessesOnly(
    checks.readable,
    assessed.map(({ place }) => printable(place)),
  );
  if (tables.value.truncated) {
    found.cannotAssess([checks.readable], 'There are more tables than one scan requests.');
  }
}

function observeReadable(found: DetectionBuilder, { place: named, table: name, columns }: AnonymousRead) {
  const place = printable(named);
  const sensitive = columns.filter(column => isSensitiveName(column) || isContactOf(name, column));
  const seen = `An anonymous request can read rows of ${quoted(named, 63)}`;
  if (sensitive.length > 0) {
    const some = sensitive
      .slice(0, 3)
      .map(column => quoted(column, 63))
      .join(', ');
    found.observe(checks.readable, place, `${seen}, which has the columns ${some}.`, 'critical');
  } else if (isSensitiveName(name)) {
    found.observe(checks.readable, place, `${seen}, whose name suggests personal data.`, 'critical');
  } else if (isShownName(name)) {
    found.observe(checks.readable, place, `${seen}, as is usual for its content.`, 'low');
  } else {
    found.observe(checks.readable, place, `${seen}.`);
  }
}

const writes = ['INSERT', 'UPDATE', 'DELETE'] as const;

function detectWritable(found: DetectionBuilder, table: SupabaseTableRights) {
  const place = printable(`${table.schema}.${table.name}`);
  const granted = writes.filter(command => table.granted.includes(command));
  if (!table.row_security) {
    if (granted.length === 0) return;
    const may = granted.join(', ');
    return found.observe(
      checks.writable,
      place,
      `anon may ${may} on ${quoted(place)}, which has no row security.`,
    );
  }
  const open = granted.filter(command => isOpenTo(table, command));
  if (open.length === 0) return;
  const seen = `anon may ${open.join(', ')} on ${quoted(place)} by a policy that is always true.`;
  // This may be a public form: visitors can add rows, but neither read nor change any.
  if (open.every(command => command === 'INSERT')) found.observe(checks.writable, place, seen, 'medium');
  else found.observe(checks.writable, place, seen);
}

/**
 * Whether a policy lets anonymous users do this to any row. Conditions other than `true` are assumed to
 * restrict it.
 */
function isOpenTo({ policies }: SupabaseTableRights, command: (typeof writes)[number]): boolean {
  const those = policies.filter(policy => policy.command === command || policy.command === 'ALL');
  if (those.some(({ permissive }) => !permissive)) return false;
  return those.some(({ using, check }) => {
    if (command === 'INSERT') return (check ?? using) === 'true';
    return using === 'true' && (command === 'DELETE' || check === null || check === 'true');
  });
}
