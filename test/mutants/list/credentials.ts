import type { Mutant, TestName } from '../mutant.ts';

const envelope = 'src/resources/credentials/envelope.ts';
const vault = 'src/resources/credentials/vault.ts';
const sealed = (test: string): TestName => ({ file: 'src/resources/credentials/envelope.test.ts', test });
const kept = (test: string): TestName => ({ file: 'test/resources/vault.test.ts', test });
const keyFiles = (test: string): TestName => ({ file: 'src/resources/credentials/key-files.test.ts', test });

/** Protects stored secrets. */
export const credentialMutants: readonly Mutant[] = [
  {
    name: 'A ciphertext is not bound to its context',
    file: envelope,
    search: "createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))",
    replacement: "createCipheriv('aes-256-gcm', key, nonce)",
    also: [['    .setAAD(Buffer.from(context))\n', '']],
    killedBy: sealed('does not open for another source'),
  },
  {
    name: 'A record names a different master key than the one used',
    file: envelope,
    search: 'if (wrapped.masterKeyId !== master.id) {',
    replacement: 'if (wrapped.masterKeyId === undefined) {',
    killedBy: sealed('does not open for another source'),
  },
  {
    name: 'A record is sealed with the nonce of another one',
    file: envelope,
    search: 'const nonce = randomBytes(12);',
    replacement: 'const nonce = Buffer.alloc(12);',
    killedBy: sealed('never uses a nonce for two records'),
  },
  {
    name: 'A credential can be decrypted for another source',
    file: vault,
    search: '`parapet credential|${organizationId}|${sourceId}`',
    replacement: '`parapet credential|${organizationId}|${sourceId.length}`',
    killedBy: kept('opens no credential that was moved to another source'),
  },
  {
    name: 'A credential can be decrypted for another organization',
    file: vault,
    search: '`parapet credential|${organizationId}|${sourceId}`',
    replacement: '`parapet credential|${organizationId.length}|${sourceId}`',
    killedBy: kept('opens no credential that was moved to another organization'),
  },
  {
    name: 'A rotation does not wait for a node that stores with the old key',
    file: vault,
    search: 'await transaction.query({ text: `select pg_advisory_xact_lock_shared(${storingLock})` });',
    replacement: '',
    killedBy: {
      file: 'test/resources/master-key-rotation.test.ts',
      test: 'waits for stores that use the old key',
    },
  },
  {
    name: 'A short master key is accepted',
    file: 'src/resources/credentials/master-key.ts',
    search: ' || bytes.length !== 32',
    replacement: '',
    killedBy: sealed('requires 32 bytes of base64 as a master key, and does not repeat a refused value'),
  },
  {
    name: 'The group can read a new master key',
    file: 'src/resources/credentials/key-files.ts',
    search: "open(path, 'wx', 0o600)",
    replacement: "open(path, 'wx', 0o640)",
    killedBy: keyFiles('creates one key under concurrency, readable by its owner only'),
  },
  {
    name: 'A master key that all users can read is used',
    file: 'src/resources/credentials/key-files.ts',
    search: 'if (file && file.mode & 0o007)',
    replacement: 'if (file && file.mode & 0o000)',
    killedBy: keyFiles(
      'refuses a key that all users of the machine can read, and a data folder that is a file',
    ),
  },
  {
    name: 'An encrypted archive is accepted as evidence',
    file: 'src/formats/file-kinds.ts',
    search: ' && !isLocked',
    replacement: '',
    killedBy: { file: 'src/formats/file-kinds.test.ts', test: 'refuses an archive with a password' },
  },
];
