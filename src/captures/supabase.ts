import type { Assessment } from './assessment.ts';

/** A table or view that the REST API offers to the service key. */
export interface SupabaseTable {
  /** Null if the REST API has only one schema, or does not name its schemas. */
  readonly schema: string | null;
  readonly name: string;
  readonly columns: readonly string[];
}

/** What an anonymous request can read of a table. The rows and their number are not known. */
export interface AnonymousRead {
  /** The table's name, with its schema if an earlier schema of the API has a table with this name. */
  readonly place: string;
  readonly table: string;
  /** The columns granted individually; all columns of the table if all are granted. */
  readonly columns: readonly string[];
  /** `none` also if the table is empty, `absent` if the API no longer has the table. */
  readonly rows: Assessment<'visible' | 'none' | 'denied' | 'absent'>;
}

export interface SupabaseBucket {
  readonly name: string;
  readonly public: boolean;
  /** `image/*`; null if every type is allowed. */
  readonly allowed_mime_types: readonly string[] | null;
}

/** A table's grants and policies, from the project's postgres-meta. */
export interface SupabaseTableRights {
  readonly schema: string;
  readonly name: string;
  readonly row_security: boolean;
  /** To the roles `anon` and PUBLIC: `INSERT`, `UPDATE`, `DELETE`, … */
  readonly granted: readonly string[];
  /** Policies for `anon` or PUBLIC. */
  readonly policies: readonly {
    readonly permissive: boolean;
    /** `INSERT`, …, or `ALL`. */
    readonly command: string;
    /** The expressions that old and new rows must satisfy, null if there is none. */
    readonly using: string | null;
    readonly check: string | null;
  }[];
}

/** A way for visitors to create their own account. */
export interface SupabaseSignUp {
  readonly open: boolean;
  /** Accounts with an unconfirmed address or number may log in immediately. */
  readonly unconfirmed: readonly ('email' | 'phone')[];
}

/** What a Supabase project's API shows about itself and to anonymous users, without rows of tables. */
export interface SupabaseCapture {
  /** ISO 8601. */
  readonly collected_at: string;
  readonly tables: Assessment<{
    readonly list: readonly SupabaseTable[];
    readonly truncated: boolean;
    /** The schemas that the REST API exposes, if `list` has the tables of all of them. */
    readonly schemas: Assessment<readonly string[]>;
  }>;
  readonly anonymous: Assessment<readonly AnonymousRead[]>;
  readonly rights: Assessment<readonly SupabaseTableRights[]>;
  readonly buckets: Assessment<readonly SupabaseBucket[]>;
  readonly sign_up: Assessment<SupabaseSignUp>;
}
