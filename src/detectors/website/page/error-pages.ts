import type { HttpResponse } from '../../../captures/website.ts';
import type { Severity } from '../../../contract/severity.ts';

interface ErrorPage {
  /** Part of a locator: never changed. */
  readonly key: string;
  /** A description, as the object of a sentence. */
  readonly what: string;
  readonly severity?: Severity;
}

/** A debug page shows by then what it is. */
const startLength = 100_000;

/**
 * The framework's debug page that a response is, or null. Each is recognized by its own markup, which an article about errors
 * would escape. Bare traces count only in failed responses.
 */
export function errorPageOf(response: HttpResponse): ErrorPage | null {
  const { body, status } = response;
  const start = body.slice(0, startLength);
  const has = (first: string, ...others: string[]) =>
    start.includes(first) && others.every(part => body.includes(part));
  if (has('// Werkzeug Debugger</title>', 'EVALEX = ')) {
    return /EVALEX = true/.test(body)
      ? { key: 'werkzeug', what: 'the Werkzeug debugger with a console that runs code', severity: 'high' }
      : { key: 'werkzeug', what: 'the Werkzeug debugger' };
  }
  if (has('id="summary"', '<code>DEBUG = True</code>', 'Django settings file')) {
    return { key: 'django', what: 'the Django debug page' };
  }
  if (has('<title>Action Controller: Exception caught</title>')) {
    return { key: 'rails', what: 'the Ruby on Rails exception page' };
  }
  if (has('class="exception-summary', 'exception-message')) {
    return { key: 'symfony', what: 'the Symfony exception page' };
  }
  if (has('window.ignite(') || has('class="Whoops container"')) {
    return { key: 'laravel', what: 'the Laravel or Whoops exception page' };
  }
  if (has("<H1>Server Error in '", '<b>Stack Trace:</b>')) {
    return { key: 'aspnet', what: 'the ASP.NET exception page' };
  }
  if (has('id="stackpage"', 'An unhandled exception occurred')) {
    return { key: 'aspnetcore', what: 'the ASP.NET Core developer exception page' };
  }
  if (hasPhpError(body)) return { key: 'php', what: 'a PHP error message with the path of its file' };
  return status >= 400 ? traceOf(body, status) : null;
}

/** Bare traces, in failed responses only: an article that quotes one has a success status. */
function traceOf(body: string, status: number): ErrorPage | null {
  if (
    /(?:^|\n|\\n)\s{0,8}(?:\\t)?at [\w.$/<>]{3,200}\([\w$.]{1,100}\.(?:java|kt|scala|groovy):\d{1,6}\)/.test(
      body,
    )
  ) {
    return { key: 'java', what: 'a Java stack trace' };
  }
  if (
    body.includes('<br> &nbsp; &nbsp;at ') ||
    /\n {4}at [^\n]{0,160}?(?:\.[cm]?[jt]s|\(node:[\w/]{1,60}):\d/.test(body)
  ) {
    return { key: 'node', what: 'a Node.js stack trace' };
  }
  if (body.includes('Traceback (most recent call last):')) {
    return { key: 'python', what: 'a Python traceback' };
  }
  if (/\bgoroutine \d{1,9} \[running\]:/.test(body)) return { key: 'go', what: 'a Go stack trace' };
  if (/[\w/-]\.rb:\d{1,6}:in (?:`|'|&#39;|&#x27;)/.test(body)) {
    return { key: 'ruby', what: 'a Ruby stack trace' };
  }
  if (/#0 (?:\/|[A-Z]:\\)[^\n(]{1,300}\.php\(\d{1,7}\)|\bPHP (?:Fatal|Parse) error: /.test(body)) {
    return { key: 'php-trace', what: 'a PHP stack trace' };
  }
  if (/\) in [^\n]{1,300}\.cs:line \d{1,7}/.test(body)) {
    return { key: 'dotnet', what: 'a .NET stack trace' };
  }
  return status >= 500 ? databaseErrorOf(body) : null;
}

/** Messages of databases and their drivers. */
const databaseErrors: readonly RegExp[] = [
  /You have an error in your SQL syntax; check the manual/,
  /SQLSTATE\[[0-9A-Z]{5}\]/,
  /\bORA-\d{5}: /,
  /PG::[A-Z][A-Za-z]{3,40}: ERROR:|pg_query\(\): |psycopg2\.errors\./,
  /Unclosed quotation mark after the character string|System\.Data\.SqlClient\.SqlException/,
  /java\.sql\.SQL[A-Za-z]{0,40}Exception/,
  /SQLITE_ERROR: |sqlite3\.OperationalError/,
  /MongoServerError: |MongoNetworkError: /,
];

function databaseErrorOf(body: string): ErrorPage | null {
  const isOne = databaseErrors.some(error => error.test(body));
  return isOne ? { key: 'database', what: 'a database error message' } : null;
}

const phpError =
  /<b>(?:Fatal error|Parse error|Warning|Notice|Deprecated)<\/b>: [^<]{0,1000}? in <b>(?:\/|[A-Z]:\\)[^<]{1,300}<\/b> on line <b>\d{1,7}<\/b>/;

/** PHP writes messages directly into the page; quoted messages are in a code element. */
function hasPhpError(body: string): boolean {
  const at = body.search(phpError);
  return at !== -1 && !['pre', 'code', 'blockquote', 'textarea'].some(name => isWithin(body, at, name));
}

function isWithin(body: string, at: number, element: string): boolean {
  return body.lastIndexOf(`<${element}`, at) > body.lastIndexOf(`</${element}`, at);
}
