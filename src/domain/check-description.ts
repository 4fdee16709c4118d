import type { Remediation } from '../contract/remediation.ts';
import type { Severity } from '../contract/severity.ts';
import type { SafeguardMapping } from './safeguards.ts';

/** A check as people read of it. */
export interface CheckDescription {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly why: string;
  readonly remediation: Remediation;
  readonly references: readonly string[];
  readonly safeguards: readonly SafeguardMapping[];
  /** Ids that it had before: what is stored may still be under one of them. */
  readonly formerIds?: readonly string[];
}

/** A detector and what it can find. */
export interface DetectorDescription {
  /** Surface first: `website.tls`. */
  readonly name: string;
  readonly surface: string;
  readonly checks: readonly CheckDescription[];
}

/** Names of the surfaces, as headings. */
export const surfaceTitles: Readonly<Record<string, string>> = {
  website: 'Websites',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
  supabase: 'Supabase',
};
