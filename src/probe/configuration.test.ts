import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../test/support/certificates.ts';
import { parseConfiguration } from './configuration.ts';
import { exampleConfiguration } from './example.ts';

const source = '00000000-0000-4000-8000-000000000001';
const minimal = `name: office
service: { url: https://parapet.example.com }
targets:
  - { name: db, kind: postgres, source: ${source}, host: db.internal, user: u, password_env: P }
`;

const folder = mkdtempSync(join(tmpdir(), 'parapet-configuration-'));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, testAuthority().root);
const empty = join(folder, 'empty.pem');
writeFileSync(empty, '');
afterAll(() => rmSync(folder, { recursive: true }));

/** The mistakes of a configuration, each with its line. */
function mistakesOf(text: string): string[] {
  try {
    parseConfiguration(text, 'f');
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

const withTarget = (settings: string) =>
  minimal.replace(/ {2}- .*/, `  - { name: t, source: ${source}, ${settings} }`);

it('reads the example, also with every setting that it explains', () => {
  const { targets, ...rest } = parseConfiguration(exampleConfiguration);
  expect(rest).toEqual({
    name: 'office',
    service: {
      url: 'https://parapet.example.com',
      brand: 'service',
      keyFile: '/etc/parapet/probe-key.json',
      authorities: undefined,
      proxy: undefined,
    },
    spool: { folder: '/var/lib/parapet-probe', maxBytes: 64 * 1024 * 1024, maxAgeSeconds: 14 * 86_400 },
    heartbeatSeconds: 60,
    reportsInventory: true,
  });
  expect(targets).toEqual([
    {
      name: 'orders',
      kind: 'postgres',
      sourceId: source,
      host: 'db.internal',
      database: 'orders',
      tls: true,
      authorities: undefined,
      login: { type: 'password', user: 'parapet_reader', password: { command: 'pass show parapet/orders' } },
      everySeconds: 3_600,
      networks: [],
    },
  ]);
  // Explanations begin with a capital letter.
  const all = exampleConfiguration
    .replaceAll('/etc/ssl/internal-ca.pem', caFile)
    .replaceAll(/^( *)# ( *)(?:# )?(?=(?:- )?[a-z_]+:)/gm, '$1$2');
  const kinds = mistakesOf(all.replaceAll(/kind: \w+/g, 'kind: oracle'));
  expect(kinds.filter(mistake => !mistake.includes('.kind must be one of'))).toEqual([]);
  expect(parseConfiguration(all).targets.map(({ name, login }) => [name, login.type])).toEqual([
    ['orders', 'password'],
    ['shop', 'password'],
    ['sessions', 'password'],
    ['intranet', 'header'],
    ['project', 'service_role'],
  ]);
});

it('reads a login of Redis with and without its parts', () => {
  const loginOf = (settings: string) => {
    const text = withTarget(`kind: redis, host: h${settings}`);
    expect(mistakesOf(text)).toEqual([]);
    return parseConfiguration(text).targets[0];
  };
  expect(loginOf('')).toMatchObject({ login: { type: 'none' }, tls: true });
  expect(loginOf(', tls: off, password_env: P')).toMatchObject({
    login: { type: 'password', user: '', password: { env: 'P' } },
    tls: false,
  });
  expect(loginOf(', user: u, password_env: P')).toMatchObject({ login: { type: 'password', user: 'u' } });
  expect(mistakesOf(withTarget('kind: redis, host: h, user: u'))).toEqual([
    'f:4: targets[0].password_env is missing: set password_env, password_file or password_command',
  ]);
  expect(mistakesOf(withTarget('kind: redis, host: h, database: 1'))).toEqual([
    expect.stringContaining('targets[0].database is not a setting'),
  ]);
});

it('reads the least that is needed', () => {
  expect(mistakesOf(minimal)).toEqual([]);
});

describe('names every mistake with its line', () => {
  it.each([
    ['nothing', '', ['f:1: name is missing', 'f:1: service.url is missing', 'f:1: targets is missing']],
    ['a list', '- a', ['f:1: must contain settings such as `name: office`']],
    [
      'a line that is indented too little',
      'name: x\ntargets:\n  - name: a\n    kind: mysql\n   host: b\n    user: c\n    every: 1h\n',
      ['f:5: is indented wrongly, or lacks a closing quote or bracket, or a space after ":"'],
    ],
    [
      'a line that is indented too much',
      'name: x\ntargets:\n  - name: a\n    kind: mysql\n     host: b\n    user: c\n',
      ['f:4: is indented wrongly, or has a second setting: quote a value that contains ": "'],
    ],
    ['a tab', 'name: x\n\tservice: y', ['f:2: is indented with a tab: use spaces']],
    ['a setting twice', `${minimal}name: other`, ['f:5: repeats a setting']],
    [
      'an unknown setting',
      `${minimal}heartbet: 1m`,
      ['f:5: heartbet is not a setting: did you mean heartbeat?'],
    ],
    [
      'a setting in the wrong place',
      `${minimal}url: https://a.example\nfolder: /a`,
      [
        'f:5: url is not a setting: did you mean service.url?',
        'f:6: folder is not a setting: did you mean spool.folder?',
      ],
    ],
    [
      'a list as a command',
      withTarget('kind: mysql, host: h, user: u, password_command: [sh, -c, x]'),
      ['f:4: targets[0].password_command must be text, not a list or settings'],
    ],
    [
      'a wrong duration',
      `${minimal}heartbeat: 5`,
      ['f:5: heartbeat must be a duration from 10s to 1d, such as 15m or 6h'],
    ],
    [
      'a wrong size',
      `${minimal}spool:\n  max_size: 5`,
      ['f:6: spool.max_size must be a size from 256 KB to 10 GB, such as 64 MB'],
    ],
    ['a relative folder', `${minimal}spool:\n  folder: a/b`, ['f:6: spool.folder must be an absolute path']],
    ['no value', minimal.replace('name: office', 'name:'), ['f:1: name must have a value']],
    [
      'http',
      minimal.replace('https:', 'http:'),
      [
        'f:2: service.url must be an https URL: the key is sent with each request (allow_http: true permits http)',
      ],
    ],
    [
      'a path of the API',
      minimal.replace('.com', '.com/api/v1'),
      ['f:2: service.url must not include /api/v1 or /functions/v1'],
    ],
    [
      'no targets',
      minimal.replace(/targets:[\s\S]*/, 'targets: []'),
      ['f:3: targets must list at least one target'],
    ],
    [
      'targets without a value',
      minimal.replace(/targets:[\s\S]*/, 'targets:'),
      ['f:3: targets must list at least one target'],
    ],
    [
      'targets that are text',
      minimal.replace(/targets:[\s\S]*/, 'targets: a'),
      ['f:3: targets must be a list'],
    ],
    [
      'targets without settings',
      minimal.replace(/targets:[\s\S]*/, 'targets: [a]'),
      ['f:3: targets[0] must contain settings'],
    ],
    [
      'letters that are swapped or wrong',
      minimal.replace('name: db', 'nmae: db').replace('password_env', 'pasword_evn'),
      [
        'f:4: targets[0].name is missing',
        'f:4: targets[0].nmae is not a setting: did you mean name?',
        'f:4: targets[0].password_env is missing: set password_env, password_file or password_command',
        'f:4: targets[0].pasword_evn is not a setting: did you mean password_env?',
      ],
    ],
    [
      'a setting in other letters',
      `${minimal}spool: { Max-Size: 1 MB }`,
      ['f:5: spool.Max-Size is not a setting: did you mean max_size?'],
    ],
    ['a setting like no other', `${minimal}spool: { disk: 1 }`, ['f:5: spool.disk is not a setting']],
    [
      'a wrong setting beside a wrong kind',
      withTarget('kind: oracle, host: h, user: u, passwrod_env: P, database: d, evry: 1h'),
      [
        'f:4: targets[0].kind must be one of website, postgres, mysql, redis, supabase (MariaDB is mysql, Valkey is redis)',
        'f:4: targets[0].password_env is missing: set password_env, password_file or password_command',
        'f:4: targets[0].passwrod_env is not a setting: did you mean password_env?',
        'f:4: targets[0].evry is not a setting: did you mean every?',
      ],
    ],
    [
      'a wrong kind',
      withTarget('kind: oracle, host: h, user: u, password_env: P'),
      [
        'f:4: targets[0].kind must be one of website, postgres, mysql, redis, supabase (MariaDB is mysql, Valkey is redis)',
      ],
    ],
    [
      'two passwords',
      withTarget('kind: mysql, host: h, user: u, password_env: P, password_file: /p'),
      ['f:4: targets[0].password_file must not be used together with password_env'],
    ],
    [
      'a password beside its variable',
      withTarget('kind: mysql, host: h, user: u, password: hunter2, password_env: P'),
      [
        'f:4: targets[0].password must not be in this file: use password_env, password_file or password_command',
      ],
    ],
    [
      'a URL for a database',
      withTarget('kind: mysql, host: "mysql://h", user: u, password_env: P'),
      ['f:4: targets[0].host must be a host name or IP address with an optional port, not a URL'],
    ],
    [
      'a setting of another kind',
      withTarget('kind: website, host: h, database: d'),
      ['f:4: targets[0].database is not a setting'],
    ],
    [
      'a wrong network',
      withTarget('kind: website, host: h, networks: [10.0.0.0]'),
      ['f:4: targets[0].networks must be a network such as 10.0.0.0/8'],
    ],
    [
      'a file without certificates',
      withTarget(`kind: mysql, host: h, user: u, password_env: P, ca_file: ${empty}`),
      ['f:4: targets[0].ca_file must be a PEM file with certificates'],
    ],
    [
      'a missing file',
      withTarget('kind: mysql, host: h, user: u, password_env: P, ca_file: /missing.pem'),
      ['f:4: targets[0].ca_file cannot be read (ENOENT)'],
    ],
    [
      'a source twice',
      `${minimal}${minimal.split('\n')[3]}`,
      ['f:5: targets[1].name is used by another target', 'f:5: targets[1].source is used by another target'],
    ],
    ['an alias', `${minimal}spool: &a { max_age: 1d }\nheartbeat: *a`, ['f:6: heartbeat must have a value']],
  ])('%s', (_, text, expected) => {
    expect(mistakesOf(text).sort()).toEqual(expected.toSorted());
  });

  it('a login of the proxy, without repeating it', () => {
    const withProxy = (proxy: string) => minimal.replace('.com }', `.com, proxy: "${proxy}" }`);
    expect(mistakesOf(withProxy('http://u:hunter2@proxy:3128'))).toEqual([
      'f:2: service.proxy must not contain a user or password: set the environment variable HTTPS_PROXY instead',
    ]);
    expect(mistakesOf(withProxy('proxy:3128'))).toEqual([
      'f:2: service.proxy must be the URL of an HTTP proxy, such as http://proxy.internal:3128',
    ]);
    expect(parseConfiguration(withProxy('http://Proxy:3128/')).service.proxy).toBe('http://proxy:3128');
  });

  it('a proxy for a service without TLS', () => {
    const plain = minimal.replace(
      'https://parapet.example.com }',
      'http://parapet.example.com, allow_http: true, proxy: "http://proxy:3128" }',
    );
    expect(mistakesOf(plain)).toEqual([
      'f:2: service.proxy must not be used with an http URL: the proxy would read the key',
    ]);
  });

  it('a password, without repeating it', () => {
    const mistakes = mistakesOf(withTarget('kind: postgres, host: h, user: u, password: hunter2hunter2'));
    expect(mistakes).toEqual([
      'f:4: targets[0].password must not be in this file: use password_env, password_file or password_command',
    ]);
    const broken = mistakesOf('name: "a\npassword: hunter2hunter2 "" hunter2');
    expect(broken.join()).not.toContain('hunter2');
    expect(broken.length).toBeGreaterThan(0);
  });
});
