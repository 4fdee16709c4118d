import type { Severity } from '../contract/severity.ts';
import { artifactOf, type SarifPlace } from './sarif.ts';

const severities: Record<Severity, 'info' | 'minor' | 'major' | 'critical' | 'blocker'> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

interface Issue {
  readonly id: string;
  readonly category: string;
  readonly severity: Severity;
  readonly title: string;
}

/**
 * An issue of a Code Quality report of GitLab (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). Merge requests
 * show issues with a fingerprint that the report of the target branch lacks, and those it has alone.
 */
export function codeQualityIssue({ id, category, severity, title }: Issue, place: SarifPlace): object {
  return {
    description: `${title} (${place.name})`,
    check_name: category,
    fingerprint: id,
    severity: severities[severity],
    location: { path: artifactOf(place), lines: { begin: 1 } },
  };
}
