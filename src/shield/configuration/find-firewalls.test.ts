import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigurationFiles } from './configuration-files.ts';
import { findFirewalls } from './find-firewalls.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'find-firewalls-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const rules = {
  '/usr/share/modsecurity-crs/owasp-crs.load': 'Include /usr/share/modsecurity-crs/rules/*.conf\n',
  '/usr/share/modsecurity-crs/rules/REQUEST-901.conf': 'SecComponentSignature "OWASP_CRS/3.3.4"\n',
  '/usr/share/modsecurity-crs/rules/REQUEST-920.conf': `SecRule REQUEST_HEADERS:Range "@rx a,b" \\
    "id:920170,\\
    phase:1,\\
    block,\\
    msg:'Header (%{MATCHED_VAR}), restricted',\\
    tag:'attack-protocol'"
`,
};

it('finds nothing where nothing is', async () =>
  expect(await findFirewalls(new ConfigurationFiles(root))).toEqual([]));

it('finds nginx with ModSecurity, as Debian configures it', async () => {
  await write({
    ...rules,
    '/etc/nginx/nginx.conf': 'http {\n  include /etc/nginx/sites-enabled/*;\n}\n',
    '/etc/nginx/sites-enabled/shop':
      'server {\n  modsecurity on; # yes\n  modsecurity_rules_file /etc/nginx/modsecurity_includes.conf;\n}\n',
    '/etc/nginx/modsecurity_includes.conf':
      'include modsecurity.conf\ninclude /usr/share/modsecurity-crs/owasp-crs.load\n',
    '/etc/nginx/modsecurity.conf': `SecRuleEngine DetectionOnly
#SecRuleEngine On
SecAuditEngine RelevantOnly
SecAuditLogParts ABIJDEFHZ
SecAuditLogType Serial
SecAuditLog /var/log/nginx/modsec_audit.log
`,
  });
  const [found] = await findFirewalls(new ConfigurationFiles(root));
  expect(found).toMatchObject({
    ...{ engine: 'modsecurity3', server: 'nginx', mode: 'detect_only' },
    auditLog: { path: '/var/log/nginx/modsec_audit.log', format: 'native', storage: null },
    ruleSet: { name: 'OWASP_CRS', version: '3.3.4' },
    changes: [{ file: '/etc/nginx/modsecurity.conf', present: null, line: 'SecAuditLogFormat JSON' }],
  });
  expect(found).toHaveProperty(
    'book',
    new Map([['920170', { message: 'Header , restricted', denies: false }]]),
  );
});

it('finds Apache with ModSecurity, as Debian configures it, and what to change', async () => {
  await write({
    ...rules,
    '/etc/apache2/apache2.conf': 'IncludeOptional mods-enabled/*.load\nIncludeOptional mods-enabled/*.conf\n',
    '/etc/apache2/mods-available/security2.load':
      'LoadModule security2_module /usr/lib/apache2/modules/mod_security2.so\n',
    '/etc/apache2/mods-available/security2.conf':
      'IncludeOptional /etc/modsecurity/*.conf\nIncludeOptional /usr/share/modsecurity-crs/*.load\n',
    '/etc/modsecurity/modsecurity.conf': `SecRuleEngine On
SecAuditEngine RelevantOnly
SecAuditLogFormat Native
SecAuditLogParts ABDEHIJZ
SecAuditLogType Concurrent
SecAuditLog /var/log/apache2/modsec_audit.log
SecAuditLogStorageDir /var/log/apache2/records
SecDefaultAction "phase:1,log,auditlog,deny,status:403"
SecRule ARGS "@rx a" "id:1,block,msg:'One'"
`,
  });
  await mkdir(join(root, 'etc/apache2/mods-enabled'), { recursive: true });
  for (const kind of ['load', 'conf']) {
    await symlink(
      `../mods-available/security2.${kind}`,
      join(root, `etc/apache2/mods-enabled/security2.${kind}`),
    );
  }
  const file = '/etc/modsecurity/modsecurity.conf';
  const [found] = await findFirewalls(new ConfigurationFiles(root));
  expect(found).toMatchObject({
    ...{ engine: 'modsecurity2', server: 'apache', mode: 'block' },
    auditLog: { format: 'native', storage: '/var/log/apache2/records' },
    ruleSet: { version: '3.3.4' },
    changes: [
      { file, present: 'SecAuditLogFormat Native', line: 'SecAuditLogFormat JSON' },
      { file, present: 'SecAuditLogParts ABDEHIJZ', line: 'SecAuditLogParts ABFHZ' },
    ],
  });
  expect(found).toHaveProperty('book.size', 2);
});

it('finds Apache whose ModSecurity is loaded and not configured', async () => {
  await write({ '/etc/apache2/apache2.conf': 'LoadModule security2_module modules/mod_security2.so\n' });
  const file = '/etc/modsecurity/modsecurity.conf';
  const lines = [
    ...['SecRuleEngine DetectionOnly', 'SecAuditEngine RelevantOnly', 'SecAuditLogFormat JSON'],
    ...['SecAuditLogParts ABFHZ', 'SecAuditLogType Serial', 'SecAuditLog /var/log/apache2/modsec_audit.log'],
  ];
  expect(await findFirewalls(new ConfigurationFiles(root))).toMatchObject([
    {
      mode: 'off',
      auditLog: null,
      ruleSet: null,
      changes: lines.map(line => ({ file, present: null, line })),
    },
  ]);
});

it('finds Caddy with Coraza, and CrowdSec', async () => {
  await write({
    '/etc/caddy/Caddyfile': `:80 {
  coraza_waf {
    directives \`
      Include @owasp_crs/*.conf
      SecRuleEngine On
      SecAuditEngine RelevantOnly
      SecAuditLogFormat JSON
      SecAuditLogParts ABHZ
      SecAuditLogType Serial
      SecAuditLog /var/log/caddy/modsec_audit.log
    \`
  }
}
`,
    '/etc/crowdsec/config.yaml': 'api:\n  server:\n    listen_uri: 127.0.0.1:8090\n',
  });
  expect(await findFirewalls(new ConfigurationFiles(root))).toMatchObject([
    { engine: 'coraza', server: 'caddy', mode: 'block', auditLog: { format: 'json' }, changes: [] },
    { engine: 'crowdsec', api: 'http://127.0.0.1:8090' },
  ]);
});

it('reads nothing outside of the root, and ends at files that include themselves', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'find-firewalls-'));
  await writeFile(join(outside, 'secret.conf'), 'modsecurity_rules_file /a;\n');
  await write({ '/etc/nginx/nginx.conf': 'include sites/*;\ninclude nginx.conf;\ninclude nginx.conf;\n' });
  await mkdir(join(root, 'etc/nginx/sites'));
  await symlink(join(outside, 'secret.conf'), join(root, 'etc/nginx/sites/a'));
  expect(await findFirewalls(new ConfigurationFiles(root))).toEqual([]);
  await rm(outside, { recursive: true });
});
