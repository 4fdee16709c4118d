import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const word = () => randomBytes(12).toString('hex');

/** A website that shows secrets in every way in which checks find some. */
export async function startLeakyWebsite() {
  const secrets = {
    header: `header-${word()}`,
    query: `query-${word()}`,
    cookie: `cookie-${word()}`,
    environment: `environment-${word()}`,
    awsKey: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    git: `git-${word()}`,
    comment: `comment-${word()}`,
    field: `field-${word()}`,
    debug: `debug-${word()}`,
    redirect: `redirect-${word()}`,
    stack: `stack-${word()}`,
    fragment: `fragment-${word()}`,
    backup: `backup-${word()}`,
    path: `path${word()}`,
    policy: `nonce${word()}`,
    age: `age-${word()}`,
  };
  const page = `<!doctype html><html><head><title>Shop ${secrets.comment}</title>
    <script src="/app.js?key=${secrets.query}"></script>
    <script src="http://cdn.test.example/lib.js?token=${secrets.query}"></script>
    <link rel="stylesheet" href="http://cdn.test.example/a.css?token=${secrets.query}">
    <iframe src="http://video.test.example/embed?token=${secrets.query}"></iframe></head>
    <body onload="go('${secrets.comment}')"><!-- password: ${secrets.comment} -->
    <img src="/pixel.png?session=${secrets.query}"><a href="/account?token=${secrets.query}#${secrets.fragment}">Account</a>
    <a href="/reset/${secrets.path}">Reset</a><a href="http://other.test.example/?u=${secrets.query}" target="_blank">Other</a>
    <form method="post" action="/login?next=${secrets.query}"><input type="password" name="p" value="${secrets.field}"></form>
    <form method="get" action="http://pay.test.example/?id=${secrets.query}"><input type="hidden" name="csrf" value="${secrets.field}"><input name="card"></form>
    </body></html>`;
  const env = `APP_KEY=${secrets.environment}\nDB_PASSWORD=${secrets.environment}\nDB_HOST=db\nAWS_ACCESS_KEY_ID=${secrets.awsKey}\n`;
  const bodies: Record<string, [type: string, body: string]> = {
    '/.env': ['text/plain', env],
    '/.git/config': [
      'text/plain',
      `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = https://u:${secrets.git}@git.test.example/r.git\n`,
    ],
    '/.git/HEAD': ['text/plain', 'ref: refs/heads/main\n'],
    '/app.js': [
      'text/javascript',
      `const key = "${secrets.awsKey}"; const password = "${secrets.environment}"; fetch("/api?token=${secrets.query}");\n//# sourceMappingURL=app.js.map?t=${secrets.query}`,
    ],
    '/app.js.map': [
      'application/json',
      JSON.stringify({
        version: 3,
        sources: ['a.ts'],
        sourcesContent: [`const p = '${secrets.environment}'`],
        mappings: '',
      }),
    ],
    '/phpinfo.php': [
      'text/html',
      `<title>phpinfo()</title><h1>PHP Version 8.1.2</h1><td>DB_PASSWORD</td><td>${secrets.environment}</td>`,
    ],
    '/backup.sql': [
      'application/sql',
      `-- MySQL dump 10.13\nINSERT INTO users VALUES ('${secrets.backup}');\n`,
    ],
    '/server-status': [
      'text/html',
      `<title>Apache Status</title><h1>Apache Server Status for x</h1>GET /?token=${secrets.query} HTTP/1.1`,
    ],
    '/robots.txt': ['text/plain', `User-agent: *\nDisallow: /admin-${secrets.path}\n`],
  };
  const served = new Set<string>();
  const server = createServer((request, response) => {
    served.add(String(request.headers['x-api-key']));
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const headers = {
      'set-cookie': [`session=${secrets.cookie}; Path=/`, `token=${secrets.cookie}; Domain=127.0.0.1`],
      'x-debug-token': secrets.debug,
      'x-powered-by': 'PHP/7.4.3',
      'content-security-policy': `script-src 'nonce-${secrets.policy}' http: 'unsafe-eval'; report-uri /csp?token=${secrets.query}`,
      'access-control-allow-origin': `http://x.test.example/?${secrets.query}`,
      'strict-transport-security': `max-age=${secrets.age}`,
      link: `</a?token=${secrets.query}>; rel=preload`,
    };
    if (path === '/account') {
      response
        .writeHead(302, { ...headers, location: `/login?token=${secrets.redirect}#${secrets.redirect}` })
        .end();
      return;
    }
    const known = bodies[path];
    if (known) return response.writeHead(200, { ...headers, 'content-type': known[0] }).end(known[1]);
    if (path === '/' || path === '/login')
      return response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(page);
    response.writeHead(500, { ...headers, 'content-type': 'text/html' });
    response.end(
      `<h1>Error</h1><pre>TypeError: ${secrets.stack}\n    at login (/srv/app/server.js:10:5)\n    at /srv/app/${secrets.stack}.js:1:1</pre>`,
    );
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    secrets,
    served,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
