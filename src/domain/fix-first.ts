import { type Severity, severities } from '../contract/severity.ts';

/** Findings of one check with the same severity. */
export interface CheckCount {
  readonly check: string;
  readonly severity: Severity;
  readonly count: number;
}

/**
 * Checks of what strangers can use now, where the request that shows it is the proof: files, consoles and secrets that anyone can read,
 * input that is executed, and data that needs no login. A name with a dot at the end stands for all checks of the family.
 */
export const provenChecks: readonly string[] = [
  ...['exposure.', 'secrets.', 'injection.', 'reflection.', 'supabase.'],
  ...['cors.reflects_origin', 'page.taken_over_host', 'page.directory_listing', 'redis.no_password'],
];

const isProven = (check: string) =>
  provenChecks.some(known => (known.endsWith('.') ? check.startsWith(known) : check === known));

/**
 * The checks in the order in which to fix them: most severe first, then what strangers can use now, then by the number of findings that
 * one fix closes, then by id. A check has its highest severity and all its findings. Info is nothing to fix.
 */
export function rankChecks(counts: Iterable<CheckCount>): readonly CheckCount[] {
  const checks = new Map<string, CheckCount>();
  for (const one of counts) {
    if (one.severity === 'info' || one.count <= 0) continue;
    const known = checks.get(one.check);
    const count = one.count + (known?.count ?? 0);
    const severity = known !== undefined && rankOf(known) <= rankOf(one) ? known.severity : one.severity;
    checks.set(one.check, { check: one.check, severity, count });
  }
  return [...checks.values()].sort(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      Number(isProven(b.check)) - Number(isProven(a.check)) ||
      b.count - a.count ||
      (a.check < b.check ? -1 : 1),
  );
}

const rankOf = ({ severity }: CheckCount) => severities.indexOf(severity);
