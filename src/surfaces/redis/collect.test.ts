import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { checksMissing, findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../test/support/redis.ts';
import { freePort, loopbackGuard } from '../../../test/support/website.ts';
import type { RedisCapture } from '../../captures/redis.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { categories } from '../../detectors/redis/commands.ts';
import { collectRedis } from './collect.ts';

const authority = testAuthority();
const password = 'S3cret-test-password';
const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The line in docs/databases/redis.md that defines the scan's user in `redis.conf`, with the test's password. */
async function leastPrivilege(): Promise<string> {
  const document = await read('docs/databases/redis.md');
  const [, line = ''] = /^```redis\n(user parapet_reader [^\n]*)\n```$/m.exec(document)!;
  return line.replace('a-long-random-password', password);
}

function collect(server: RedisServer, login: string, scheme = 'redis'): Promise<RedisCapture> {
  return collectRedis(`127.0.0.1:${server.port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    trustedRoots: [authority.root],
    credential: { type: 'dsn', dsn: `${scheme}://${login}127.0.0.1:${server.port}` },
  });
}

/** Without those of its version, which depends on the Redis of this machine. */
function findings(capture: RedisCapture) {
  const { seen, notAssessed } = findingsOf(liveScan(detectorsFor('redis'), capture));
  return { seen: seen.filter(one => !one.startsWith('redis.version_')), notAssessed };
}

/** What the same server would show if it listened on the network. The test servers listen on loopback only. */
function onNetwork(capture: RedisCapture): RedisCapture {
  if (!capture.settings.assessed) throw new Error(capture.settings.reason);
  return { ...capture, settings: { assessed: true, value: { ...capture.settings.value, bind: '* -::*' } } };
}

const weak = `port {port}
protected-mode no
enable-debug-command yes
enable-module-command yes
acllog-max-len 0
slowlog-max-len 0
appendonly yes
appendfsync no
maxmemory 0
replica-read-only no
replicaof {host} 1
cluster-enabled no
unixsocketperm 777
acl-pubsub-default allchannels
dbfilename shell.php
tls-port {tls}
tls-cert-file {folder}/server.crt
tls-key-file {folder}/server.key
tls-ca-cert-file {folder}/server.crt
tls-auth-clients no
tls-protocols "TLSv1.1 TLSv1.2"
tls-ciphers AES256-SHA:DES-CBC3-SHA
user default on nopass ~* &* +@all
user open on nopass ~* +@read
user app on >${password} ~shop:* +@all
user cleaner on >${password} ~* -@all +get +flushall
user gone off nopass ~* +@all
`;

const ofWeak = [
  'redis.channels_open acl-pubsub-default info',
  'redis.client_certificates_optional tls-auth-clients info',
  'redis.default_user_unrestricted default user low',
  'redis.dump_in_system_folder dir critical',
  'redis.durability_weak appendfsync low',
  'redis.log_off acllog-max-len low',
  'redis.memory_unlimited maxmemory info',
  'redis.protected_command_enabled enable-debug-command medium',
  'redis.protected_command_enabled enable-module-command medium',
  'redis.replica_writable replica-read-only low',
  'redis.replication_plaintext tls-replication high',
  'redis.slow_log_off slowlog-max-len info',
  'redis.socket_open unixsocketperm low',
  'redis.user_administrative user app medium',
  'redis.user_dangerous_commands user cleaner low',
  'redis.user_scripts default user info',
  'redis.user_scripts user app info',
];
const ofLoopback = [
  'redis.tls_ciphers_weak tls-ciphers low',
  'redis.tls_version_old tls-protocols TLSv1.1 low',
  'redis.no_password default user low',
  'redis.plaintext_allowed port info',
  'redis.protected_mode_off protected-mode info',
  'redis.user_no_password user open low',
];
const ofNetwork = [
  'redis.tls_ciphers_weak tls-ciphers medium',
  'redis.tls_version_old tls-protocols TLSv1.1 medium',
  'redis.listens_everywhere bind medium',
  'redis.no_password default user critical',
  'redis.plaintext_allowed port high',
  'redis.protected_mode_off protected-mode high',
  'redis.user_no_password user open critical',
];
/** Debian backports fixes, so the version number proves little. */
const ofPackage = ['redis.known_vulnerability', 'redis.version_behind'];
/** Shown by golden cases, and those of persistence below. */
const elsewhere = [
  'redis.version_end_of_life',
  'redis.cluster_bus_plaintext',
  'redis.persistence_off',
  'redis.replicates_from_public_address',
  'redis.module_suspicious',
  'redis.module_vulnerability',
  ...ofPackage,
  'redis.version_table_outdated',
];

describe.skipIf(!hasRedis())('a misconfigured Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    const configuration =
      weak.replace('{tls}', `${await freePort()}`).replace('{host}', hostname()) + (await leastPrivilege());
    server = await startRedis(configuration, authority.issue({ covers: ['127.0.0.1'] }));
  });
  afterAll(() => server?.close());

  it('reports exactly its flaws with the least-privileged user', async () => {
    const capture = await collect(server, `parapet_reader:${password}@`);
    const { seen, notAssessed } = findings(capture);
    expect(seen).toEqual([...ofWeak, ...ofLoopback].sort());
    expect(findings(onNetwork(capture)).seen).toEqual([...ofWeak, ...ofNetwork].sort());
    expect([...notAssessed.keys()].sort()).toEqual(ofPackage);
  });

  it('reads no more with an administrator', async () => {
    const [few, all] = [await collect(server, `parapet_reader:${password}@`), await collect(server, '')];
    expect({ ...all, collected_at: '' }).toEqual({ ...few, collected_at: '' });
  });

  it('collects no password and no hash of one', async () => {
    const capture = await collect(server, `parapet_reader:${password}@`);
    const text = JSON.stringify(capture);
    expect(await server.run('ACL LIST')).toMatch(/#[0-9a-f]{64}/);
    expect(text).not.toMatch(/[0-9a-f]{16}/i);
    expect(text).not.toContain(password);
    const users = capture.users.assessed ? capture.users.value.rows : [];
    expect(users.find(({ name }) => name === 'app')).toMatchObject({ passwords: 1, nopass: false });
  });

  it('reports what a user without permissions may not read, and passes none of those checks', async () => {
    const { seen, notAssessed } = findings(await collect(server, `cleaner:${password}@`));
    expect(seen).toEqual(['redis.no_password default user high']);
    expect(notAssessed.get('redis.log_off')).toBe('The user lacks +config|get.');
    expect(notAssessed.get('redis.user_scripts')).toBe('The user lacks +acl|list.');
    expect(notAssessed.get('redis.module_suspicious')).toBe('The user lacks +module|list.');
    expect(notAssessed.get('redis.version_end_of_life')).toBe('The user lacks +info.');
    const passed = checksMissing('redis', [...seen, ...notAssessed.keys()]);
    expect(passed).toEqual([]);
  });

  it('leaves nothing in the server but refused commands', async () => {
    const before = await server.run('DBSIZE\nCONFIG GET *');
    await collect(server, `parapet_reader:${password}@`);
    expect(await server.run('DBSIZE\nCONFIG GET *')).toBe(before);
  });
});

describe.skipIf(!hasRedis())('the hardened Redis of the examples', () => {
  let server: RedisServer;
  beforeAll(async () => {
    const configuration = (await read('examples/hardened-redis/redis.conf'))
      .replaceAll(/^(?:bind|logfile|dir|aclfile) .*\n/gm, '')
      .replaceAll('/etc/redis/', '{folder}/')
      .replace('tls-port 6379', 'tls-port {port}')
      .replace('ca.pem', 'server.crt');
    const users = (await read('examples/hardened-redis/users.acl')).replace('Change-me-3-parapet', password);
    server = await startRedis(`${configuration}\n${users}`, authority.issue({ covers: ['127.0.0.1'] }));
  });
  afterAll(() => server?.close());

  it('has no findings above info, even on a network', async () => {
    const capture = await collect(server, `parapet_reader:${password}@`, 'rediss');
    const network = { ...capture, connection: { over: 'network', tls: true } } as const;
    const { seen, notAssessed } = findings(network);
    expect(seen).toEqual(['redis.client_certificates_optional tls-auth-clients info']);
    expect([...notAssessed.keys()].sort()).toEqual(ofPackage);
  });
});

describe.skipIf(!hasRedis())('a Redis that lacks commands', () => {
  it('is not assessed for them', async () => {
    const server = await startRedis('port {port}\nrename-command CONFIG ""\nrename-command ACL ""');
    try {
      const capture = await collect(server, '');
      const reason = (permission: string) =>
        `The server does not have the command for ${permission}, or it was renamed or disabled.`;
      expect(capture.settings).toEqual({ assessed: false, reason: reason('+config|get') });
      expect(capture.users).toEqual({ assessed: false, reason: reason('+acl|list') });
      expect(findings(capture).seen).toEqual(['redis.no_password default user high']);
    } finally {
      await server.close();
    }
  });
});

describe.skipIf(!hasRedis())('the default Redis of Debian', () => {
  it('has no finding above low that its owner did not make', async () => {
    const server = await startRedis('port {port}\nsave ""');
    try {
      expect(findings(await collect(server, '')).seen).toEqual([
        'redis.default_user_unrestricted default user low',
        'redis.memory_unlimited maxmemory info',
        'redis.no_password default user low',
        'redis.persistence_off save info',
        'redis.plaintext_allowed port info',
        'redis.user_scripts default user info',
      ]);
    } finally {
      await server.close();
    }
  });
});

describe.skipIf(!hasRedis())('the categories of commands', () => {
  it('are those of the server', async () => {
    const server = await startRedis();
    try {
      for (const [command, known] of Object.entries(categories)) {
        const reported = [...(await server.run(`COMMAND INFO ${command}`)).matchAll(/^@([a-z]+)$/gm)];
        expect([command, reported.map(([, name]) => name).sort()]).toEqual([command, [...known].sort()]);
      }
    } finally {
      await server.close();
    }
  });
});

it('shows every check firing somewhere, except some', () => {
  expect(checksMissing('redis', [...ofWeak, ...ofNetwork]).sort()).toEqual(elsewhere.sort());
});
