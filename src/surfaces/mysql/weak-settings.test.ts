import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { hasMariadb, startMariadb } from '../../../test/support/mariadb.ts';
import { giveToOrdinaryUser, ordinaryFolder } from '../../../test/support/ordinary-user.ts';
import type { DatabaseServer } from '../../../test/support/postgres-server.ts';
import { loopbackGuard } from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { collectMysql } from './collect.ts';

const authority = testAuthority();
const password = 'S3cret-test-password';

/** Options, and the finding that each causes. */
const weak = {
  '--general-log=1': 'mysql.general_log_on general_log medium',
  '--log-output=TABLE': 'mysql.log_detail_weak log_output info',
  '--log-warnings=1': 'mysql.log_detail_weak log_warnings low',
  '--allow-suspicious-udfs': 'mysql.protection_disabled allow_suspicious_udfs medium',
  '--secure-auth=0': 'mysql.protection_disabled secure_auth medium',
  '--log-bin-trust-function-creators=1': 'mysql.protection_disabled log_bin_trust_function_creators low',
  '--innodb-flush-log-at-trx-commit=2': 'mysql.durability_weak innodb_flush_log_at_trx_commit low',
  '--sync-binlog=100': 'mysql.durability_weak sync_binlog low',
  '--skip-innodb-doublewrite': 'mysql.durability_weak innodb_doublewrite low',
  '--simple-password-check-minimal-length=4':
    'mysql.password_policy_weak simple_password_check_minimal_length low',
  '--simple-password-check-digits=0': 'mysql.password_policy_weak simple_password_check_digits low',
  '--strict-password-validation=0': 'mysql.password_policy_weak strict_password_validation low',
  '--wait-timeout=86400': 'mysql.idle_timeout_long wait_timeout low',
  '--interactive-timeout=86400': 'mysql.idle_timeout_long interactive_timeout low',
  '--ssl-cipher=ECDHE-RSA-AES256-GCM-SHA384:AES256-SHA:DES-CBC3-SHA': 'mysql.tls_ciphers_weak ssl_cipher low',
  '--encrypt-binlog=0': 'mysql.encryption_partial encrypt_binlog low',
  '--innodb-encrypt-log=0': 'mysql.encryption_partial innodb_encrypt_log low',
  '--encrypt-tmp-files=0': 'mysql.encryption_partial encrypt_tmp_files low',
};

describe.skipIf(!hasMariadb())('a MariaDB with weak settings', () => {
  let server: DatabaseServer;
  let folder = '';
  beforeAll(async () => {
    folder = await ordinaryFolder('mariadb-keys-');
    const keys = join(folder, 'keys');
    await writeFile(keys, `1;${'0123456789abcdef'.repeat(4)}\n`);
    await giveToOrdinaryUser(keys);
    server = await startMariadb(
      authority.issue({ covers: ['127.0.0.1'] }),
      [
        `create user root@127.0.0.1 identified by '${password}'`,
        'grant all on *.* to root@127.0.0.1 with grant option',
      ],
      {
        parameters: [
          ...['--plugin-load-add=simple_password_check', '--plugin-load-add=file_key_management'],
          ...[`--file-key-management-filename=${keys}`, '--innodb-encrypt-tables=1', '--log-bin=binlog'],
          ...Object.keys(weak),
        ],
      },
    );
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('reports each of them', async () => {
    const capture = await collectMysql(`127.0.0.1:${server.port}`, {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(20_000),
      trustedRoots: [authority.root],
      credential: { type: 'dsn', dsn: `mysql://root:${password}@127.0.0.1:${server.port}` },
    });
    const { seen } = findingsOf(liveScan(detectorsFor('mysql'), capture));
    const expected = Object.values(weak);
    const checks = new Set(expected.map(one => one.split(' ')[0]));
    const others = ['log_error info', 'slow_query_log info', 'have_symlink info'];
    expect(
      seen.filter(one => checks.has(one.split(' ')[0]) && !others.some(other => one.endsWith(` ${other}`))),
    ).toEqual(expected.sort());
  });
});
