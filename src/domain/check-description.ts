import type { Remediation } from '../contract/remediation.ts';
import type { Severity } from '../contract/severity.ts';
import type { SafeguardMapping } from './safeguards.ts';

/** A check without its detection code. */
export interface CheckDescription {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly why: string;
  readonly remediation: Remediation;
  readonly references: readonly string[];
  readonly safeguards: readonly SafeguardMapping[];
  /** Earlier IDs, which stored findings and results may still have. */
  readonly formerIds?: readonly string[];
}

/** A detector and its checks. */
export interface DetectorDescription {
  /** Prefixed with the surface: `website.tls`. */
  readonly name: string;
  readonly surface: string;
  readonly checks: readonly CheckDescription[];
}

/** Display names of the surfaces that are kinds of sources. Others are assessed for sources of any kind. */
export const surfaceTitles: Readonly<Record<string, string>> = {
  website: 'Websites',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
  redis: 'Redis and Valkey',
  supabase: 'Supabase',
};

/** Whether a surface is a kind of source. */
export const isSourceKind = (surface: string) => Object.hasOwn(surfaceTitles, surface);
