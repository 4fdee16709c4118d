/** Content of the sample site: the patient portal of a fictional clinic, with common flaws. All secrets are fake. */
export interface SampleAnswer {
  readonly type: string;
  readonly body: string | Buffer;
}

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Harbor View Clinic – patient portal</title>
  <link rel="stylesheet" href="/assets/portal.css">
  <script src="http://cdn.harborview.example/widgets/appointments.js"></script>
  <script src="/assets/portal.js"></script>
</head>
<body>
  <h1>Harbor View Clinic</h1>
  <img src="http://images.harborview.example/clinic.jpg" alt="The clinic">
  <p>Welcome to your patient portal. <a href="/results;jsessionid=8F3A5C7E9B1D2F46">Your results</a></p>
  <form method="post" action="/login">
    <label>Email <input type="email" name="email"></label>
    <label>Password <input type="password" name="password"></label>
    <button>Log in</button>
  </form>
  <form method="post" action="http://forms.harborview.example/contact">
    <label>Your message <textarea name="message"></textarea></label>
    <button>Send</button>
  </form>
</body>
</html>
`;

const environment = `APP_NAME=harborview-portal
APP_ENV=production
APP_DEBUG=true
DB_HOST=db.harborview.example
DB_USERNAME=portal
DB_PASSWORD=sample-site-only
MAIL_PASSWORD=sample-site-only
`;

const gitConfig = `[core]
\trepositoryformatversion = 0
\tbare = false
[remote "origin"]
\turl = https://git.harborview.example/portal.git
`;

const dump = `-- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
CREATE TABLE \`appointments\` (
  \`id\` int NOT NULL,
  \`reason\` varchar(255) DEFAULT NULL
);
`;

const serverStatus = `<!doctype html><html><head><title>Apache Status</title></head>
<body><h1>Apache Server Status for portal.harborview.example</h1><pre>1 requests currently being processed</pre></body></html>
`;

const sourceMap = '{"version":3,"file":"portal.js","sources":["src/portal.ts"],"names":[],"mappings":"AAAA"}';
const openApi = '{"openapi":"3.0.3","info":{"title":"Portal API","version":"1"},"paths":{}}';

/** By path without query. */
export const sampleAnswers: ReadonlyMap<string, SampleAnswer> = new Map([
  ['/', { type: 'text/html', body: page }],
  ['/assets/portal.css', { type: 'text/css', body: 'body { font-family: sans-serif; margin: 3rem; }\n' }],
  [
    '/assets/portal.js',
    { type: 'text/javascript', body: '"use strict";\n//# sourceMappingURL=portal.js.map\n' },
  ],
  ['/assets/portal.js.map', { type: 'application/json', body: sourceMap }],
  ['/.env', { type: 'application/octet-stream', body: environment }],
  ['/.git/config', { type: 'application/octet-stream', body: gitConfig }],
  ['/.git/HEAD', { type: 'application/octet-stream', body: 'ref: refs/heads/main\n' }],
  ['/backup.sql', { type: 'application/sql', body: dump }],
  ['/server-status', { type: 'text/html', body: serverStatus }],
  ['/.DS_Store', { type: 'application/octet-stream', body: Buffer.from('\0\0\0\x01Bud1\0\0\0\0', 'latin1') }],
  ['/openapi.json', { type: 'application/json', body: openApi }],
]);
