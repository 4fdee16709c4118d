import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  captureWith,
  controlsWith,
  exposureWith,
  headersWith,
  home,
  navigation,
  notSeen,
  pageWith,
  response,
  seen,
} from '../hardened-capture.ts';

const origin = 'https://portal.example.com';
const document = (content: string) =>
  `<!doctype html><html lang="en"><head><title>Portal</title></head><body>${content}</body></html>`;
const body = (content: string) => pageWith({ body: document(content) });
const missing = (changes: Partial<HttpResponse>) => captureWith({ exposure: exposureWith({}, changes) });
const header = (name: string, value: string) => pageWith({ headers: headersWith({ [name]: value }) });

const ofDocument = ['page.no_integrity', 'page.opener', 'page.private_address', 'page.taken_over_host'];
const all = [...ofDocument, 'page.directory_listing', 'page.error_details'];

const hash = 'integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"';

const django = `<!DOCTYPE html><html><head><title>Page not found at /x</title></head><body><div id="summary"><h1>Page not found</h1></div>
  <div id="info"><p>Using the URLconf defined in <code>portal.urls</code>, Django tried these URL patterns</p></div>
  <div id="explanation"><p>You’re seeing this error because you have <code>DEBUG = True</code> in your Django settings file.</p></div></body></html>`;
const expressTrace =
  '<!DOCTYPE html><title>Error</title><pre>Error: no such user<br> &nbsp; &nbsp;at /srv/app/routes/users.js:12:9<br> &nbsp; &nbsp;at next (/srv/app/node_modules/router/index.js:4:1)</pre>';
const javaTrace = `<!doctype html><h1>HTTP Status 500 – Internal Server Error</h1><pre>java.lang.NullPointerException
\tat com.clinic.portal.Patients.find(Patients.java:42)
\tat javax.servlet.http.HttpServlet.service(HttpServlet.java:623)</pre>`;
const werkzeug = (console: boolean) =>
  `<!doctype html><title>KeyError: 'x' // Werkzeug Debugger</title><script>var CONSOLE_MODE = false, EVALEX = ${console}, SECRET = "";</script>`;
const errorPages: readonly (readonly [string, string, Partial<HttpResponse>])[] = [
  ['django', 'Django', { status: 404, body: django }],
  [
    'rails',
    'Rails',
    { status: 404, body: '<title>Action Controller: Exception caught</title><h1>Routing Error</h1>' },
  ],
  [
    'symfony',
    'Symfony',
    {
      status: 404,
      body: '<div class="exception-summary"><h1 class="break-long-words exception-message">No route found</h1></div>',
    },
  ],
  ['laravel', 'Laravel', { status: 500, body: '<script>window.ignite(window.data);</script>' }],
  [
    'aspnet',
    'ASP.NET',
    {
      status: 500,
      body: "<H1>Server Error in '/' Application.<hr width=100%></H1><b>Source File:</b> <b>Stack Trace:</b> <br>",
    },
  ],
  [
    'aspnetcore',
    'ASP.NET Core',
    {
      status: 500,
      body: '<h1>An unhandled exception occurred while processing the request.</h1><div id="stackpage" class="page">',
    },
  ],
  ['java', 'Tomcat', { status: 500, body: javaTrace }],
  [
    'java',
    'Spring Boot',
    {
      status: 404,
      headers: headersWith({ 'content-type': 'application/json' }),
      body: '{"status":404,"trace":"org.springframework.web.X: none\\n\\tat org.springframework.web.Y.handle(Y.java:585)\\n"}',
    },
  ],
  ['node', 'Express', { status: 500, body: expressTrace }],
  ['node', 'Node.js', { status: 500, body: 'Error: x\n    at Object.<anonymous> (/srv/app/index.js:1:7)\n' }],
  [
    'python',
    'a bare traceback',
    { status: 500, body: 'Traceback (most recent call last):\n  File "/srv/a.py"' },
  ],
  ['go', 'Go', { status: 500, body: 'panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:8' }],
  ['werkzeug', 'Werkzeug', { status: 500, body: werkzeug(true) }],
  ['ruby', 'Rack', { status: 500, body: "NoMethodError\n/srv/app/models/visit.rb:12:in `total'\n" }],
  [
    'php-trace',
    'PHP',
    { status: 500, body: 'Uncaught PDOException\n#0 /var/www/html/db.php(12): PDO->query()' },
  ],
  [
    'dotnet',
    'ASP.NET Core as text',
    {
      status: 500,
      body: 'System.NullReferenceException: x\r\n   at Portal.Visits.Get(Int32 id) in C:\\build\\Visits.cs:line 42\r\n',
    },
  ],
  [
    'database',
    'a database',
    { status: 500, body: '{"error":"SQLSTATE[42S02]: Base table or view not found"}' },
  ],
];

const phpError =
  '<br />\n<b>Warning</b>:  mysqli_connect(): Access denied in <b>/var/www/html/db.php</b> on line <b>12</b><br />';

const nginxListing = (path: string) =>
  `<html>\r\n<head><title>Index of ${path}</title></head>\r\n<body>\r\n<h1>Index of ${path}</h1><hr><pre><a href="../">../</a>\r\n<a href="export.csv">export.csv</a> 01-Jan-2026 10:00 42\r\n</pre><hr></body></html>`;
const listings: readonly (readonly [string, string])[] = [
  ['nginx', nginxListing('/')],
  [
    'Apache',
    '<!DOCTYPE HTML><html><head><title>Index of /files</title></head><body><h1>Index of /files</h1><table><tr><th><a href="?C=N;O=D">Name</a></th></tr></table>',
  ],
  [
    'lighttpd',
    '<title>Index of /files/</title><h2>Index of /files/</h2><div class="foot">lighttpd/1.4</div>',
  ],
  ['Caddy', '<title>/files/</title><div class="breadcrumbs">Folder Path</div>'],
  [
    'Caddy 2.6',
    '<title>files</title><h1><a href="../">/</a><a href="">files</a>/</h1><div id="summary"><span class="meta-item"><b>2</b> files</span></div><th><a href="?sort=namedirfirst&order=desc" class="icon"></a></th>',
  ],
  [
    'Python',
    '<!DOCTYPE HTML><html lang="en"><head><title>Directory listing for /</title></head><body><h1>Directory listing for /</h1><hr><ul>',
  ],
  [
    'IIS',
    '<html><head><title>portal.example.com - /files/</title></head><body><H1>portal.example.com - /files/</H1><hr>\r\n\r\n<pre><A HREF="/">[To Parent Directory]</A><br><br> 1/2/2026 10:00 AM 42 <A HREF="/files/a.csv">a.csv</A>',
  ],
  ['Tomcat', '<html><head><title>Directory Listing For [/]</title></head>'],
  ['Jetty', '<HTML><HEAD><TITLE>Directory: /</TITLE></HEAD><H1 class="title">Directory: /</H1>'],
  [
    'http-server, before its icons',
    '<!doctype html><title>Index of /uploads/</title><style>td.display-name { padding-left: 1em; }\ni.icon-_blank { }</style>',
  ],
  ['serve-index', '<title>listing directory /</title><ul id="files" class="view-tiles">'],
  [
    'an S3 bucket',
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Contents><Key>a.pdf</Key></Contents>',
  ],
];

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },

  {
    name: 'scripts and style sheets of other sites without a hash, one place per host',
    capture: body(
      `<script src="https://cdn.example/a@1.2.3/a.js"></script><script src="https://cdn.example/b.js"></script>
       <link rel="stylesheet" href="//cdn.example/a.css"><script src="https://js.stripe.com/v3/"></script>`,
    ),
    expected: [
      { check: 'page.no_integrity', locator: `${origin} script cdn.example` },
      { check: 'page.no_integrity', locator: `${origin} link cdn.example` },
      { check: 'page.no_integrity', locator: `${origin} script js.stripe.com` },
    ],
  },
  {
    name: 'scripts without quotes or scheme, in capitals and as modules, but not import maps and data',
    capture: body(
      `<SCRIPT SRC=//cdn.partner.example/a.js></SCRIPT><script type=module src='https://modules.partner.example/b.js'></script>
       <script type="importmap">{"imports":{"a":"https://esm.partner.example/a.js"}}</script><script type="application/json" src="https://data.partner.example/x.json"></script>
       <link rel=preload as=script href=https://preload.partner.example/c.js><link rel=preconnect href=https://pre.partner.example>`,
    ),
    expected: [
      { check: 'page.no_integrity', locator: `${origin} script cdn.partner.example` },
      { check: 'page.no_integrity', locator: `${origin} script modules.partner.example` },
    ],
  },
  {
    name: 'a hash of an unknown kind',
    capture: body('<script src="https://cdn.example/a.js" integrity="md5-abc"></script>'),
    expected: ['page.no_integrity'],
  },
  {
    name: 'hashes, own subdomains, and content other than scripts and style sheets',
    capture: body(
      `<script src="https://cdn.example/a.js" ${hash} crossorigin="anonymous"></script>
       <link rel="stylesheet" href="https://cdn.example/a.css" ${hash}>
       <script src="https://static.example.com/a.js"></script><script src="/a.js"></script>
       <img src="https://images.example/a.png"><iframe src="https://maps.example/"></iframe>
       <link rel="preconnect" href="https://cdn.example"><link rel="icon" href="https://cdn.example/i.svg">
       <script type="application/ld+json" src="https://cdn.example/data"></script><!-- <script src="https://cdn.example/c.js"></script> -->`,
    ),
    expected: [],
  },

  {
    name: 'polyfill.io and similar hosts, also with a hash',
    capture: body(
      `<script src="https://cdn.polyfill.io/v3/polyfill.min.js" ${hash}></script>
       <script src="//polyfill.io/v2/polyfill.js" ${hash}></script>
       <link rel="stylesheet" href="https://cdn.bootcss.com/bootstrap/3.3.7/css/bootstrap.min.css" ${hash}>`,
    ),
    expected: [
      { check: 'page.taken_over_host', locator: `${origin} polyfill.io` },
      { check: 'page.taken_over_host', locator: `${origin} bootcss.com` },
    ],
  },
  {
    name: 'mirrors of the polyfills, and hosts with similar names',
    capture: body(
      `<script src="https://cdnjs.cloudflare.com/polyfill/v3/polyfill.min.js" ${hash}></script>
       <script src="https://polyfill-fastly.io/v3/polyfill.min.js" ${hash}></script>
       <script src="https://notpolyfill.io/a.js" ${hash}></script><a href="https://polyfill.io">Read more</a>`,
    ),
    expected: [],
  },

  {
    name: 'a link with rel=opener',
    capture: body('<a href="https://partner.example/a" target="_blank" rel="external opener">Partner</a>'),
    expected: [{ check: 'page.opener', locator: `${origin} partner.example` }],
  },
  {
    name: 'links in new windows without rel=opener',
    capture: body(
      `<a href="https://partner.example/" target="_blank">A</a><a href="https://partner.example/" target="_blank" rel="noopener">B</a>
       <a href="https://partner.example/" rel="opener">C</a><a href="https://help.example.com/" target="_blank" rel="opener">D</a>
       <a href="mailto:us@partner.example" target="_blank" rel="opener">E</a>`,
    ),
    expected: [],
  },

  ...errorPages.map(([key, name, answer]) => ({
    name: `${name} for a path that does not exist`,
    capture: missing(answer),
    expected: [{ check: 'page.error_details', locator: `${origin} ${key}` }],
  })),
  {
    name: 'a PHP message in the page',
    capture: body(phpError),
    expected: [{ check: 'page.error_details', locator: `${origin} php` }],
  },
  {
    name: 'a failed page with error details',
    capture: captureWith({
      page: notSeen('The page answers the scan with status 500.'),
      https: navigation(response(home, { status: 500, body: expressTrace })),
    }),
    expected: [{ check: 'page.error_details', locator: `${origin} node` }],
    notAssessed: all,
  },
  {
    name: 'articles about errors',
    capture: body(
      `<h1>Stack traces explained</h1><pre>${javaTrace.replaceAll('<', '&lt;')}</pre>
       <pre>Traceback (most recent call last): File "/srv/a.py"</pre><pre>goroutine 1 [running]:</pre>
       <p>Error: x\n    at Object.&lt;anonymous&gt; (/srv/app/index.js:1:7)</p>
       <blockquote>${phpError}</blockquote><pre class="php">${phpError}</pre><code>DEBUG = True</code> in your Django settings file`,
    ),
    expected: [],
  },
  {
    name: 'articles about errors with a not-found status',
    capture: missing({
      status: 404,
      body: '<h1>Not found</h1><p>Did you mean: “You have an error in your SQL syntax”, SQLSTATE[42000], ORA-00942?</p>',
    }),
    expected: [],
  },
  {
    name: 'plain pages for missing paths',
    capture: missing({ status: 404, body: '<!DOCTYPE html><title>Error</title><pre>Cannot GET /x</pre>' }),
    expected: [],
  },
  {
    name: 'an ASP.NET error page without details',
    capture: missing({
      status: 500,
      body: '<H1>Server Error in \'/\' Application.</H1><h2>Runtime Error</h2>customErrors mode="RemoteOnly"',
    }),
    expected: [],
  },

  ...listings.map(([name, listing]) => ({
    name: `a listing of ${name}`,
    capture: pageWith({ body: listing }),
    expected: [{ check: 'page.directory_listing', locator: `${origin}/` }],
  })),
  {
    name: 'a listing in an unknown format, and pages that link to their contents',
    capture: captureWith({
      exposure: seen({
        origin,
        ...controlsWith({}),
        probes: [
          [
            '/uploads/',
            '<!doctype html><title>uploads</title><h1>/uploads</h1><a href="../">up</a><a href="a.pdf">a.pdf</a> 12 KB<a href="b.pdf">b.pdf</a> 3 KB',
          ],
          [
            '/guide/',
            '<!doctype html><title>Guide</title><h1>Get started</h1><a href="/">Home</a><a href="/docs/">Docs</a><a href="install.html">Install</a><a href="run.html">Run</a>',
          ],
        ].map(([path, body]) => ({
          path: path!,
          kind: 'named' as const,
          response: seen(response(origin + path, { body: body! })),
        })),
        left_out: [],
        elsewhere: [],
      }),
    }),
    expected: [{ check: 'page.directory_listing', locator: `${origin}/uploads/` }],
  },
  {
    name: 'a listing of a directory that the page uses',
    capture: captureWith({
      exposure: withDirectory({ body: nginxListing('/uploads/') }),
    }),
    expected: [{ check: 'page.directory_listing', locator: `${origin}/uploads/` }],
  },
  {
    name: 'a closed directory, and a page with such a title',
    capture: captureWith({
      ...pageWith({ body: '<title>Index of /topics</title><h1>Index of /topics</h1><p>From A to Z</p>' }),
      exposure: withDirectory({ status: 403, body: nginxListing('/uploads/') }),
    }),
    expected: [],
  },

  {
    name: 'internal addresses',
    capture: pageWith({
      headers: headersWith({ 'x-backend-server': '10.1.20.3:8080', via: '1.1 proxy.clinic (10.1.0.9)' }),
      body: document(
        `<img src="http://192.168.10.4/logo.png"><form action="https://forms.clinic.internal/save"></form>
         <script>const api = "http://172.16.4.2:3000/v1";</script><!-- served by 10.0.3.17 -->`,
      ),
    }),
    expected: ['header x-backend-server', 'header via', 'img', 'form', 'script', 'comment'].map(place => ({
      check: 'page.private_address',
      locator: `${origin} ${place}`,
    })),
  },
  {
    name: 'versions, numbers, public addresses, and text about a router',
    capture: pageWith({
      headers: headersWith({
        'x-powered-by': 'Engine/10.1.2.3',
        'x-app-version': '10.2.0.1',
        'x-cache': 'HIT from 203.0.113.7, 172.32.0.1, 10.300.1.1',
        'set-cookie': 'last=10.0.0.1; Secure; HttpOnly; SameSite=Lax',
      }),
      body: document(
        `<p>Open 192.168.1.1 in your browser.</p><a href="http://192.168.0.1/">Router</a><!-- Version 10.4.2.1 -->
         <script>const release = "110.10.0.1.2"; const a = v10.0.0.1; const b = "8.8.8.8";</script><!-- build 10.0.0.1 -->
         <img src="/img/10.0.0.1/logo.png"><script src="https://static.example.com/lib-10.1.0.2.js"></script>`,
      ),
    }),
    expected: [],
  },
  {
    name: 'a site within a private network that names itself',
    capture: pageWith({
      url: 'https://10.0.0.8/',
      headers: headersWith({ location: 'https://10.0.0.8/a' }),
      body: document('<img src="https://10.0.0.8/a.png">'),
    }),
    expected: [],
  },
  {
    name: 'a redirect to an internal name',
    capture: header('location', 'https://app.clinic.local/'),
    expected: ['page.private_address'],
  },

  {
    name: 'an error page',
    capture: pageWith({ status: 404, body: document('<script src="https://cdn.example/a.js"></script>') }),
    expected: [],
    notAssessed: [...ofDocument, 'page.error_details'],
  },
  {
    name: 'a page that was cut off',
    capture: pageWith({
      body: document('<script src="https://cdn.example/a.js"></script>'),
      body_truncated: true,
    }),
    expected: ['page.no_integrity'],
    notAssessed: [...ofDocument, 'page.directory_listing'],
  },
  {
    name: 'no page and no paths',
    capture: captureWith({ page: notSeen(), https: notSeen(), http: notSeen(), exposure: notSeen() }),
    expected: [],
    notAssessed: all,
  },
];

function withDirectory(answer: Partial<HttpResponse>): WebsiteCapture['exposure'] {
  const exposure = exposureWith({});
  if (!exposure.assessed) return exposure;
  const probe = {
    path: '/uploads/',
    kind: 'directory' as const,
    response: seen(response(`${origin}/uploads/`, answer)),
  };
  return seen({ ...exposure.value, probes: [...exposure.value.probes, probe] });
}
