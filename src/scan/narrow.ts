import { idsOfCheck } from '../detectors/catalogue.ts';
import type { Inspection } from './inspection.ts';

/**
 * The part of an inspection that counts: without checks that a later inspection has assessed, and only the
 * check of the finding, under any of its ids, when a finding is verified.
 */
export function narrow(
  inspection: Inspection,
  { outdated, category }: { readonly outdated: ReadonlySet<string>; readonly category: string | null },
): Inspection {
  const left = new Set([...outdated].flatMap(id => [...idsOfCheck(id)]));
  const wanted = category === null ? null : idsOfCheck(category);
  const counts = (check: string) => !left.has(check) && (wanted === null || wanted.has(check));
  return {
    runs: inspection.runs,
    seen: inspection.seen.filter(flaw => counts(flaw.category)),
    outcomes: inspection.outcomes.filter(({ check }) => counts(check)),
    assessed: new Set([...inspection.assessed].filter(counts)),
    places: new Map([...inspection.places].filter(([check]) => counts(check))),
    covered: inspection.covered,
    ...(inspection.fully === undefined ? {} : { fully: new Set([...inspection.fully].filter(counts)) }),
  };
}
