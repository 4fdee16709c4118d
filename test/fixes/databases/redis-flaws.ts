/** A flaw and the finding that it causes. */
export interface RedisFlaw {
  readonly locator: string;
  /** Run by an administrator; without it, the configuration file has the flaw. */
  readonly commands?: string;
  /** Replacements for the placeholders in the code. */
  readonly values?: Readonly<Record<string, string>>;
  /** Further lines of the configuration file. */
  readonly lines?: string;
}

/** A user that administers the server in the test, whatever happens to the default user. */
export const administrator = ['--user', 'admin', '--pass', 'S3cret-of-the-tests'] as const;

/** The configuration of a server with every flaw that a file can have. */
export const flawedConfiguration = `port {port}
user admin on >S3cret-of-the-tests ~* &* +@all
protected-mode no
bind 127.0.0.1 -::*
tls-port {tls}
tls-cert-file {folder}/server.crt
tls-key-file {folder}/server.key
tls-ca-cert-file {folder}/server.crt
tls-auth-clients no
tls-protocols "TLSv1.1 TLSv1.2"
tls-ciphers AES256-SHA:DES-CBC3-SHA
replicaof {host} 1
replica-read-only no
enable-debug-command yes
acllog-max-len 0
slowlog-max-len 0
maxmemory 0
unixsocketperm 777
acl-pubsub-default allchannels
dbfilename shell.php
`;

const files = {
  '/etc/redis/server.crt': '{folder}/server.crt',
  '/etc/redis/server.key': '{folder}/server.key',
  '/etc/redis/ca.pem': '{folder}/server.crt',
};
const user = (rules: string): RedisFlaw => ({
  locator: 'user app',
  commands: `ACL SETUSER app reset on >x ${rules}`,
});

/** By step; for steps that are not proven, the reason. */
export const redisFlaws: Readonly<Record<string, RedisFlaw | { readonly unproven: string }>> = {
  'redis.no_password redis.file': {
    locator: 'default user',
    values: { 'a-long-random-password': 'S3cret-of-the-tests' },
  },
  'redis.no_password redis.cli': { locator: 'default user' },
  'redis.user_no_password redis.cli': {
    locator: 'user app',
    commands: 'ACL SETUSER app reset on nopass ~* +@read',
  },
  'redis.protected_mode_off redis.file': { locator: 'protected-mode' },
  'redis.protected_mode_off redis.cli': { locator: 'protected-mode' },
  'redis.listens_everywhere redis.file': { locator: 'bind' },

  'redis.plaintext_allowed redis.file': {
    locator: 'port',
    values: { ...files, '6379': '{port}' },
    // This test connects with TLS, and not with old versions and weak ciphers.
    lines: 'tls-protocols "TLSv1.2 TLSv1.3"\ntls-ciphers ECDHE+AESGCM',
  },
  'redis.tls_version_old redis.file': { locator: 'tls-protocols TLSv1.1' },
  'redis.tls_ciphers_weak redis.file': { locator: 'tls-ciphers' },
  'redis.replication_plaintext redis.file': { locator: 'tls-replication', values: files },
  'redis.cluster_bus_plaintext redis.file': { unproven: 'A node of a cluster cannot be a replica as well.' },

  'redis.default_user_unrestricted redis.cli': { locator: 'default user' },
  'redis.user_administrative redis.cli': user('~shop:* +@all'),
  'redis.user_dangerous_commands redis.cli': user('~shop:* +@all -@admin'),
  'redis.user_scripts redis.cli': user('~shop:* +@read +eval'),
  'redis.protected_command_enabled redis.file': { locator: 'enable-debug-command' },

  'redis.log_off redis.file': {
    locator: 'acllog-max-len',
    values: { '/var/log/redis/redis-server.log': '{folder}/redis.log' },
  },
  'redis.slow_log_off redis.file': { locator: 'slowlog-max-len' },
  'redis.persistence_off redis.file': { locator: 'save' },
  'redis.durability_weak redis.file': {
    locator: 'appendfsync',
    lines: 'appendonly yes\nappendfsync no',
  },
  'redis.memory_unlimited redis.file': { locator: 'maxmemory' },
  'redis.replica_writable redis.file': { locator: 'replica-read-only' },
  'redis.socket_open redis.file': { locator: 'unixsocketperm' },
  'redis.channels_open redis.file': { locator: 'acl-pubsub-default' },

  'redis.dump_in_system_folder redis.file': { locator: 'dir', values: { '/var/lib/redis': '{folder}' } },
  'redis.replicates_from_public_address redis.cli': {
    unproven: 'It would connect to a public address.',
  },
  'redis.module_suspicious redis.cli': { unproven: 'It requires such a module.' },

  'redis.known_vulnerability redis.shell on Debian and Ubuntu': {
    unproven: 'It requires the package repositories.',
  },
  'redis.version_behind redis.shell on Debian and Ubuntu': {
    unproven: 'It requires the package repositories.',
  },
};
