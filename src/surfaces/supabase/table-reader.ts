import { notAssessed } from '../../captures/assessment.ts';
import type { AnonymousRead } from '../../captures/supabase.ts';
import { BudgetSpent } from '../website/budget.ts';
import { type ProjectApi, reasonOf } from './project-api.ts';
import { errorCodeOf, readTables } from './read-answers.ts';
import type { PlacedTable } from './table-places.ts';

/** Requests for single columns in one scan, of all tables together. */
const maxColumnQuestions = 200;

type Rows = AnonymousRead['rows'];
type Headers = Readonly<Record<string, string>>;

const known = (value: Extract<Rows, { assessed: true }>['value']): Rows => ({ assessed: true, value });

/** PostgreSQL's error for a missing privilege. */
const isDenied = (code: string | undefined) => code === '42501';
/** PostgREST's errors for a missing table, and PostgreSQL's, which PostgREST passed on up to version 12. */
const isAbsent = (code: string | undefined) => code === 'PGRST205' || code === '42P01';

/** Reads tables of the REST API with the headers of an anonymous user. */
export class TableReader {
  readonly #api: ProjectApi;
  readonly #headers: Headers;
  /** By schema: the tables that an anonymous user may read partly. Undefined if the API does not describe them. */
  readonly #described = new Map<string | null, Promise<ReadonlySet<string> | undefined>>();
  #columnQuestions = 0;

  constructor(api: ProjectApi, headers: Headers) {
    this.#api = api;
    this.#headers = headers;
  }

  async read(table: PlacedTable): Promise<AnonymousRead> {
    const read = { place: table.place, table: table.name, columns: table.columns };
    try {
      const rows = await this.#rowsOf(table, '*');
      return rows === 'refused' ? { ...read, ...(await this.#readRefused(table)) } : { ...read, rows };
    } catch (error) {
      return { ...read, rows: notAssessed(error instanceof BudgetSpent ? error.message : reasonOf(error)) };
    }
  }

  /** Whether an anonymous user can see rows. HEAD returns no rows, and a limit of one row keeps the server from counting. */
  async #rowsOf(table: PlacedTable, columns: string): Promise<Rows | 'refused'> {
    const path = pathOf(table, `select=${columns}&limit=1`);
    const { status, header } = await this.#api.head(path, this.#headersFor(table));
    if ([401, 403, 404].includes(status)) return 'refused';
    const range = header('content-range') ?? '';
    if (status === 200 || status === 206) {
      if (/^0-0\//.test(range)) return known('visible');
      if (/^\*\//.test(range)) return known('none');
    }
    return notAssessed(`The REST API answered ${status} without a usable Content-Range.`);
  }

  /** A refusal counts only with an error of PostgREST or PostgreSQL, which proxies in front of them do not send. */
  async #readRefused(table: PlacedTable): Promise<{ rows: Rows; columns?: readonly string[] }> {
    const { status, code } = await this.#ask(table, '*');
    if (isAbsent(code)) return { rows: known('absent') };
    if (!isDenied(code)) return { rows: notAssessed(notByApi(status)) };
    if ((await this.#describedTables(table.schema))?.has(table.name) === false)
      return { rows: known('denied') };
    return this.#readColumns(table);
  }

  /** A user who may not read all columns may still read some, and PostgreSQL's error is the same in both cases. */
  async #readColumns(table: PlacedTable): Promise<{ rows: Rows; columns?: readonly string[] }> {
    const granted: string[] = [];
    let reason =
      table.columns.length === 0 ? 'Its columns, which can be granted one by one, are not known.' : '';
    for (const column of table.columns) {
      if (this.#columnQuestions >= maxColumnQuestions) {
        reason = `Columns can be granted one by one, and only ${maxColumnQuestions} are tried in one scan.`;
        break;
      }
      this.#columnQuestions += 1;
      const { status, code } = await this.#ask(table, quotedName(column));
      if (status === 200) granted.push(column);
      else if (!isDenied(code)) reason = notByApi(status);
    }
    const [first] = granted;
    const rows = first === undefined ? known('denied') : await this.#rowsOf(table, quotedName(first));
    if (rows === 'refused') return { rows: notAssessed('The REST API refused columns that it had allowed.') };
    const isVisible = rows.assessed && rows.value === 'visible';
    return { rows: isVisible || reason === '' ? rows : notAssessed(reason), columns: granted };
  }

  async #ask(table: PlacedTable, columns: string): Promise<{ status: number; code: string | undefined }> {
    const path = pathOf(table, `select=${columns}&limit=0`);
    const { status, json } = await this.#api.get(path, this.#headersFor(table));
    return { status, code: errorCodeOf(json) };
  }

  #describedTables(schema: string | null): Promise<ReadonlySet<string> | undefined> {
    const described = this.#described.get(schema) ?? this.#describe(schema);
    this.#described.set(schema, described);
    return described;
  }

  async #describe(schema: string | null): Promise<ReadonlySet<string> | undefined> {
    const headers = { ...this.#headersFor({ schema }), accept: 'application/openapi+json' };
    const { status, json } = await this.#api.get('/rest/v1/', headers);
    const tables = status === 200 ? readTables(json) : undefined;
    return tables?.truncated === false ? new Set(tables.list.map(({ name }) => name)) : undefined;
  }

  #headersFor({ schema }: Pick<PlacedTable, 'schema'>): Headers {
    return schema === null ? this.#headers : { ...this.#headers, 'accept-profile': schema };
  }
}

const pathOf = ({ name }: PlacedTable, query: string) => `/rest/v1/${encodeURIComponent(name)}?${query}`;

const quotedName = (column: string) => encodeURIComponent(`"${column.replace(/["\\]/g, '\\$&')}"`);

const notByApi = (status: number) =>
  `The answer ${status} is not the REST API's own refusal, which names an error of PostgreSQL.`;
