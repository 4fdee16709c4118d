import type { SourceKind } from '../../../src/contract/sources.ts';

/** What a new probe will assess, as entered. */
export interface TargetDraft {
  /** Identifies it in the form. */
  readonly key: string;
  /** Of an existing source. */
  readonly sourceId: string | undefined;
  readonly kind: SourceKind;
  readonly name: string;
  readonly host: string;
  /** How the probe signs in to a database; its password stays with the probe. */
  readonly user: string;
  /** Of PostgreSQL. */
  readonly database: string;
  readonly tls: boolean;
}

let created = 0;

/** A draft with defaults. The role is the one that `docs/databases/parapet-reader.sql` creates. */
export const draftTarget = (known: Partial<TargetDraft> = {}): TargetDraft => ({
  key: `new ${created++}`,
  sourceId: undefined,
  kind: 'postgres',
  name: '',
  host: '',
  user: 'parapet_reader',
  database: 'postgres',
  tls: true,
  ...known,
});
