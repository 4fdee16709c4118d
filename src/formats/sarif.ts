import { readablePlace } from '../contract/readable-place.ts';
import { type Severity, severities } from '../contract/severity.ts';

/**
 * Creates a SARIF message. SARIF viewers render `[text](target)` as a link, and scanned servers control part of the text: brackets and
 * the backslashes before them are escaped (section 3.11.6 of the standard).
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

/** Header of a SARIF 2.1.0 log (OASIS standard). */
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

/** `security-severity` for code-scanning services: the middle of the CVSS range of each severity. */
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

/** Collects one rule for each category, with the severity of its most severe finding. */
export class SarifRules {
  readonly #worst = new Map<string, SarifFinding>();
  readonly #indexes = new Map<string, number>();

  /** Adds the rule of a finding, and returns its index in `list`. */
  indexOf(finding: SarifFinding): number {
    const { category, severity } = finding;
    const known = this.#worst.get(category);
    if (!known || severities.indexOf(severity) < severities.indexOf(known.severity)) {
      this.#worst.set(category, finding);
    }
    if (!known) this.#indexes.set(category, this.#indexes.size);
    return this.#indexes.get(category)!;
  }

  /** @param checksPage URL of the page that documents all checks, with check IDs as anchors */
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

/** The scanned system or source. */
export interface SarifPlace {
  readonly kind: 'system' | 'source';
  readonly id: string;
  readonly name: string;
  /** As stored on the source, which may be a URL; undefined for systems. */
  readonly host?: string;
  /** The locator of the finding; undefined where it is not known. */
  readonly locator?: string;
}

/** The common part of a SARIF result. Callers add the message and properties. */
export function sarifResult(finding: SarifFinding, rules: SarifRules, place: SarifPlace): object {
  const { kind, id, name, locator } = place;
  const fullyQualifiedName = `${kind}/${id}`;
  const found =
    locator === undefined ? [] : [{ name: readablePlace(finding.category, locator), kind: 'member' }];
  return {
    ruleId: finding.category,
    ruleIndex: rules.indexOf(finding),
    guid: finding.id,
    level: levels[finding.severity],
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: artifactOf(place) }, region: { startLine: 1 } },
        logicalLocations: [...found, { name, fullyQualifiedName, kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'parapetFindingId/v1': finding.id },
  };
}

/**
 * The page, file or host of a finding, as a relative path: `portal.example.com/login`. GitHub code scanning refuses a whole log if one result
 * has no `physicalLocation`, or one with a scheme (https://github.com/github/codeql-action/issues/754). Without the encoding, a name
 * with a port would have the scheme `portal.example.com`.
 */
export function artifactOf({ kind, id, host, locator = '' }: SarifPlace): string {
  if (host === undefined) return `${kind}/${id}`;
  const [, found] = /^(?:[a-z0-9_-]+ )?(https?:\/\/\S+)/.exec(locator) ?? [];
  const url = [found, host].find(text => text !== undefined && URL.canParse(text) && /^https?:/.test(text));
  if (url === undefined) return encodeURIComponent(host);
  const { host: authority, pathname } = new URL(url);
  // URLs keep these, which a URI reference does not have (RFC 3986, 3.3).
  const path = pathname.replace(/[|^[\]]/g, encodeURIComponent);
  return `${encodeURIComponent(authority)}${path}`.replace(/\/$/, '');
}
