import { type Severity, severities } from '../contract/severity.ts';

/**
 * A message of a log. Scanned servers choose part of it, and readers of SARIF make a link of `[text](target)`: brackets are
 * escaped (section 3.11.6 of the standard), with the backslashes before them, which would escape the escape.
 */
export function sarifText(text: string): { text: string } {
  let escaped = '';
  let backslashes = 0;
  for (const character of text) {
    if (character === '[' || character === ']') escaped += '\\'.repeat(backslashes + 1);
    backslashes = character === '\\' ? backslashes + 1 : 0;
    escaped += character;
  }
  return { text: escaped };
}

/** What a log of the OASIS standard SARIF 2.1.0 begins with. */
export const sarifHeader = {
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
} as const;

const levels: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** What code-scanning services sort by, in the middle of the bands that CVSS gives these words. */
const scores: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: '0.0',
};

interface SarifFinding {
  readonly id: string;
  readonly category: string;
  readonly severity: Severity;
  readonly title: string;
  readonly remediation: string;
}

interface CheckWords {
  readonly title: string;
  readonly why: string;
}

/** One rule per category, as bad as the worst finding of it. Filled by the results that name them. */
export class SarifRules {
  readonly #worst = new Map<string, SarifFinding>();
  readonly #indexes = new Map<string, number>();

  /** The place of the finding's rule in the list. */
  indexOf(finding: SarifFinding): number {
    const { category, severity } = finding;
    const known = this.#worst.get(category);
    if (!known || severities.indexOf(severity) < severities.indexOf(known.severity)) {
      this.#worst.set(category, finding);
    }
    if (!known) this.#indexes.set(category, this.#indexes.size);
    return this.#indexes.get(category)!;
  }

  /** @param checksPage the page that explains every check, one anchor a check */
  list(describe: (category: string) => CheckWords | undefined, checksPage: string): object[] {
    return [...this.#worst.values()].map(({ category, severity, title, remediation }) => {
      const check = describe(category);
      return {
        id: category,
        shortDescription: sarifText(check?.title ?? title),
        ...(check ? { fullDescription: sarifText(check.why) } : {}),
        help: { ...sarifText(remediation), markdown: remediation },
        helpUri: `${checksPage}#${category}`,
        defaultConfiguration: { level: levels[severity] },
        properties: { tags: ['security', category.split('.')[0]], 'security-severity': scores[severity] },
      };
    });
  }
}

/** What was scanned. */
interface SarifPlace {
  readonly kind: 'system' | 'source';
  readonly id: string;
  readonly name: string;
  /** Where a website is; a system or a database has no address that a reader of SARIF could open. */
  readonly uri?: string;
}

/** What of a finding is the same wherever it comes from. Who writes it adds the message and properties. */
export function sarifResult(finding: SarifFinding, rules: SarifRules, place: SarifPlace): object {
  const { kind, id, name, uri } = place;
  return {
    ruleId: finding.category,
    ruleIndex: rules.indexOf(finding),
    guid: finding.id,
    level: levels[finding.severity],
    locations: [
      {
        ...(uri ? { physicalLocation: { artifactLocation: { uri } } } : {}),
        logicalLocations: [{ name, fullyQualifiedName: `${kind}/${id}`, kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'parapetFindingId/v1': finding.id },
  };
}
