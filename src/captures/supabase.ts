import type { Assessment } from './assessment.ts';

/** A table or view that the REST API offers to the service key. */
export interface SupabaseTable {
  /** Null where the REST API has one schema only, or does not name them. */
  readonly schema: string | null;
  readonly name: string;
  readonly columns: readonly string[];
}

/** What a request without a log-in gets of a table. Which rows, or how many, is not known. */
export interface AnonymousRead {
  /** The table's name, with its schema where an earlier schema of the API has a table of that name. */
  readonly place: string;
  readonly table: string;
  /** Those that are granted one by one where not all are, else all of the table. */
  readonly columns: readonly string[];
  /** `none` also where the table is empty, `absent` where the API has no such table any more. */
  readonly rows: Assessment<'visible' | 'none' | 'denied' | 'absent'>;
}

export interface SupabaseBucket {
  readonly name: string;
  readonly public: boolean;
  /** `image/*`; null where every type is allowed. */
  readonly allowed_mime_types: readonly string[] | null;
}

/** What a table's grants and policies say, from the project's postgres-meta. */
export interface SupabaseTableRights {
  readonly schema: string;
  readonly name: string;
  readonly row_security: boolean;
  /** Of the roles `anon` and PUBLIC: `INSERT`, `UPDATE`, `DELETE`, … */
  readonly granted: readonly string[];
  /** Policies for `anon` or PUBLIC. */
  readonly policies: readonly {
    readonly permissive: boolean;
    /** `INSERT`, …, or `ALL`. */
    readonly command: string;
    /** The expression that old and new rows must fulfil, each null where there is none. */
    readonly using: string | null;
    readonly check: string | null;
  }[];
}

/** A way to make an account oneself. */
export interface SupabaseSignUp {
  readonly open: boolean;
  /** Accounts made with an address or number that nobody has confirmed may log in at once. */
  readonly unconfirmed: readonly ('email' | 'phone')[];
}

/** What a Supabase project's API tells about itself and about strangers. No row of a table is in it. */
export interface SupabaseCapture {
  /** ISO 8601. */
  readonly collected_at: string;
  readonly tables: Assessment<{
    readonly list: readonly SupabaseTable[];
    readonly truncated: boolean;
    /** Those that the REST API exposes, where `list` has the tables of all of them. */
    readonly schemas: Assessment<readonly string[]>;
  }>;
  readonly anonymous: Assessment<readonly AnonymousRead[]>;
  readonly rights: Assessment<readonly SupabaseTableRights[]>;
  readonly buckets: Assessment<readonly SupabaseBucket[]>;
  readonly sign_up: Assessment<SupabaseSignUp>;
}
