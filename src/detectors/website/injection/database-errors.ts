/** Messages of databases and their drivers about the syntax of a statement, by product. JSON has a backslash before quotes. */
const syntaxErrors: readonly (readonly [product: string, pattern: RegExp])[] = [
  [
    'MySQL or MariaDB',
    /You have an error in your SQL syntax;? check the manual that corresponds to your (?:MySQL|MariaDB)/,
  ],
  [
    'MySQL or MariaDB',
    /\b(?:mysqli?_(?:fetch|num|query)\w{0,20}\(\)|MySqlException|com\.mysql\.[\w.]{3,60}Exception|pymysql\.err\.\w{3,30}Error)/,
  ],
  [
    'PostgreSQL',
    /\b(?:pg_query|pg_exec)\(\)|PG::SyntaxError|psycopg\d?\.errors\.SyntaxError|org\.postgresql\.util\.PSQLException|Npgsql\.(?:PostgresException|NpgsqlException)/,
  ],
  [
    'PostgreSQL',
    /(?:unterminated quoted (?:string|identifier) at or near|syntax error at or near) (?:&quot;|\\?"|&#39;|&#34;)/,
  ],
  [
    'SQLite',
    /unrecognized token: (?:&quot;|\\?"|&#34;)|SQLITE_ERROR: |sqlite3\.OperationalError|near (?:&quot;|\\?"|&#34;)[^\n]{0,80}: syntax error|SQLite3::SQLException|Microsoft\.Data\.Sqlite\.SqliteException/,
  ],
  [
    'Microsoft SQL Server',
    /Unclosed quotation mark (?:after|before) the character string|Incorrect syntax near (?:&#39;|'|&quot;|\\?")|System\.Data\.SqlClient\.SqlException|Microsoft\.Data\.SqlClient\.SqlException|\bSQLServerException\b/,
  ],
  [
    'Oracle',
    /\bORA-(?:00933|00936|00921|01756|01740|00907|00911|01789)\b|quoted string not properly terminated/,
  ],
  [
    'a database',
    /SQLSTATE\[(?:42000|42601|HY000|37000|22P02)\]|\bPDOException\b|java\.sql\.SQLSyntaxErrorException|sqlalchemy\.exc\.(?:ProgrammingError|OperationalError|DataError)|org\.hibernate\.exception\.SQLGrammarException|Sequelize(?:Database)?Error|QueryFailedError|PrismaClientUnknownRequestError|ActiveRecord::StatementInvalid|Doctrine\\DBAL\\Exception/,
  ],
  ['IBM Db2', /\bDB2 SQL error: SQLCODE|SQLCODE=-\d{3}, SQLSTATE=/],
  ['Microsoft Access', /Syntax error \(missing operator\) in query expression|\[Microsoft\]\[ODBC/],
];

export interface DatabaseError {
  readonly product: string;
  /** The line of the response. */
  readonly line: string;
}

/** The first message of a database about a statement's syntax; null if there is none. */
export function databaseErrorIn(body: string): DatabaseError | null {
  for (const [product, pattern] of syntaxErrors) {
    const at = body.search(pattern);
    if (at === -1) continue;
    const begin = Math.max(body.lastIndexOf('\n', at) + 1, at - 60);
    return {
      product,
      line: body
        .slice(begin, at + 160)
        .split('\n', 1)[0]!
        .trim(),
    };
  }
  return null;
}
