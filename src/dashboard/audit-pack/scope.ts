import type { TenantSession } from '../../database/tenant-store.ts';
import { type DetectorDescription, isSourceKind } from '../../domain/check-description.ts';
import {
  type InformationalFindings,
  informationalFindings,
  resultsByCheck,
  type UncoveredSource,
  type UndecidedCheck,
  uncoveredSources,
  uncoveredSystems,
  undecidedChecks,
} from '../../resources/audit-pack/scope.ts';
import { sourceScope } from '../../resources/controls/facts.ts';

/** Maximum rows of each list. */
const most = 2000;

/** What control states do not cover. */
export interface OutOfScope {
  /** Every source kind with checks, with its number of checks and of sources in scope. */
  readonly kinds: readonly KindInScope[];
  readonly sources: readonly UncoveredSource[];
  readonly systems: readonly string[];
  readonly checks: readonly (UndecidedCheck & { readonly title: string })[];
  /** Checks without any result on `sources` scanned sources, such as checks of full scans. */
  readonly checks_not_run: readonly {
    readonly check: string;
    readonly title: string;
    readonly sources: number;
  }[];
  readonly informational_findings: readonly InformationalFindings[];
  /** True if at least one list is truncated. */
  readonly incomplete: boolean;
}

interface KindInScope {
  readonly kind: string;
  readonly checks: number;
  readonly sources: number;
  readonly never_scanned: number;
  /** Sources without a current assessment, including sources that were never scanned. */
  readonly not_assessed: number;
}

export async function outOfScope(
  session: TenantSession,
  detectors: readonly DetectorDescription[],
): Promise<OutOfScope> {
  const [sources, systems, checks, results, scope, informational] = await Promise.all([
    uncoveredSources(session, most + 1),
    uncoveredSystems(session, most + 1),
    undecidedChecks(session, most + 1),
    resultsByCheck(session),
    sourceScope(session),
    informationalFindings(session),
  ]);
  const ofSources = detectors.filter(({ surface }) => isSourceKind(surface));
  const catalogue = ofSources.flatMap(({ surface, checks }) => checks.map(check => ({ surface, ...check })));
  const titles = new Map(catalogue.map(({ id, title }) => [id, title]));
  const notRun = catalogue.map(({ id, title, surface }) => {
    const { sources: all, unscanned } = scope.get(surface) ?? { sources: 0, unscanned: 0 };
    return { check: id, title, sources: all - unscanned - (results.get(id) ?? 0) };
  });
  const kinds = [...new Set(catalogue.map(({ surface }) => surface))].map(kind => {
    const { sources: all, unscanned, unseen } = scope.get(kind) ?? { sources: 0, unscanned: 0, unseen: 0 };
    const checks = catalogue.filter(({ surface }) => surface === kind).length;
    return { kind, checks, sources: all, never_scanned: unscanned, not_assessed: unseen };
  });
  return {
    kinds,
    sources: sources.slice(0, most),
    systems: systems.slice(0, most),
    checks: checks.slice(0, most).map(one => ({ ...one, title: titles.get(one.check) ?? one.check })),
    checks_not_run: notRun.filter(one => one.sources > 0),
    informational_findings: informational,
    incomplete: [sources, systems, checks].some(({ length }) => length > most),
  };
}
