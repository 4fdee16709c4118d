import type { HttpResponse } from '../../../captures/website.ts';
import type { Severity } from '../../../contract/severity.ts';

interface ErrorPage {
  /** Part of a locator: never changed. */
  readonly key: string;
  /** What it is, as the object of a sentence. */
  readonly what: string;
  readonly severity?: Severity;
}

/**
 * The framework's page for developers that an answer is, or null. Each is known by markup of its own, which in an article
 * about errors would be escaped; bare traces count only as the whole of a server's failure.
 */
export function errorPageOf(response: HttpResponse): ErrorPage | null {
  const { body, status } = response;
  const has = (...parts: string[]) => parts.every(part => body.includes(part));
  if (has('// Werkzeug Debugger</title>', 'EVALEX = ')) {
    return /EVALEX = true/.test(body)
      ? { key: 'werkzeug', what: 'Werkzeug’s debugger with a console that runs code', severity: 'high' }
      : { key: 'werkzeug', what: 'Werkzeug’s debugger' };
  }
  if (has('<code>DEBUG = True</code>', 'Django settings file', 'id="summary"')) {
    return { key: 'django', what: 'Django’s debugging page' };
  }
  if (has('<title>Action Controller: Exception caught</title>')) {
    return { key: 'rails', what: 'the exception page of Ruby on Rails' };
  }
  if (has('class="exception-summary', 'exception-message')) {
    return { key: 'symfony', what: 'the exception page of Symfony' };
  }
  if (has('window.ignite(') || has('class="Whoops container"')) {
    return { key: 'laravel', what: 'the exception page of Laravel or Whoops' };
  }
  if (has("<H1>Server Error in '", '<b>Stack Trace:</b>')) {
    return { key: 'aspnet', what: 'the exception page of ASP.NET' };
  }
  if (has('id="stackpage"', 'An unhandled exception occurred')) {
    return { key: 'aspnetcore', what: 'the developer exception page of ASP.NET Core' };
  }
  if (hasPhpError(body)) return { key: 'php', what: 'an error message of PHP with the path of its file' };
  return status >= 400 ? traceOf(body, status) : null;
}

/** Bare traces, of failures only: an article that quotes one has a status of success. */
function traceOf(body: string, status: number): ErrorPage | null {
  if (
    /(?:^|\n|\\n)\s{0,8}(?:\\t)?at [\w.$/<>]{3,200}\([\w$.]{1,100}\.(?:java|kt|scala|groovy):\d{1,6}\)/.test(
      body,
    )
  ) {
    return { key: 'java', what: 'a stack trace of Java' };
  }
  if (
    body.includes('<br> &nbsp; &nbsp;at ') ||
    /\n {4}at [^\n]{0,160}?(?:\.[cm]?[jt]s|\(node:[\w/]{1,60}):\d/.test(body)
  ) {
    return { key: 'node', what: 'a stack trace of Node.js' };
  }
  if (body.includes('Traceback (most recent call last):')) {
    return { key: 'python', what: 'a traceback of Python' };
  }
  if (/\bgoroutine \d{1,9} \[running\]:/.test(body)) return { key: 'go', what: 'a stack trace of Go' };
  if (/[\w/-]\.rb:\d{1,6}:in (?:`|'|&#39;|&#x27;)/.test(body)) {
    return { key: 'ruby', what: 'a stack trace of Ruby' };
  }
  if (/#0 (?:\/|[A-Z]:\\)[^\n(]{1,300}\.php\(\d{1,7}\)|\bPHP (?:Fatal|Parse) error: /.test(body)) {
    return { key: 'php-trace', what: 'a stack trace of PHP' };
  }
  if (/\) in [^\n]{1,300}\.cs:line \d{1,7}/.test(body)) {
    return { key: 'dotnet', what: 'a stack trace of .NET' };
  }
  return status >= 500 ? databaseErrorOf(body) : null;
}

/** What databases and their drivers say, in the words of each. */
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
  return isOne ? { key: 'database', what: 'an error message of a database' } : null;
}

const phpError =
  /<b>(?:Fatal error|Parse error|Warning|Notice|Deprecated)<\/b>: [^<]{0,1000}? in <b>(?:\/|[A-Z]:\\)[^<]{1,300}<\/b> on line <b>\d{1,7}<\/b>/;

/** PHP writes its messages into the page as they come; quoted ones stand in an element for code. */
function hasPhpError(body: string): boolean {
  const at = body.search(phpError);
  return at !== -1 && !['pre', 'code', 'blockquote', 'textarea'].some(name => isWithin(body, at, name));
}

function isWithin(body: string, at: number, element: string): boolean {
  return body.lastIndexOf(`<${element}`, at) > body.lastIndexOf(`</${element}`, at);
}
