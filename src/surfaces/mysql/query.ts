/** A query to the server. Every statement that a collection sends is here, and in docs/databases/mysql.md. */
export interface MysqlQuery {
  readonly name:
    | 'variables'
    | 'accounts'
    | 'role grants'
    | 'plaintext users'
    | 'global grants'
    | 'object grants'
    | 'proxy grants';
  /** What it reads, for the documentation. */
  readonly reads: string;
  /** The privilege that it requires; null if every account may send it. */
  readonly privilege: Readonly<Record<MysqlFamily, string | null>>;
  readonly sql: Readonly<Record<MysqlFamily, string>>;
}

/** Since 10.4, MariaDB stores its accounts in a different table. */
export type MysqlFamily = 'mysql' | 'mariadb';

/** Rows of a list that are kept. A longer list is marked as truncated, and not read to the end. */
export const maxRows = 2_000;
