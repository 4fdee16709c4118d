import type { RedisCapture } from '../../src/captures/redis.ts';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { collectRedis } from '../../src/surfaces/redis/collect.ts';
import { testAuthority } from '../../test/support/certificates.ts';
import { liveScan } from '../../test/support/live-scan.ts';
import { startRedis } from '../../test/support/redis.ts';
import { freePort, loopbackGuard } from '../../test/support/website.ts';
import type { AccuracyCase } from './case.ts';

export interface RedisCaseOptions extends Omit<AccuracyCase, 'scan'> {
  /** Lines of `redis.conf` after the hardened ones, of which the last one of a setting wins. `{other}`: a free port. */
  readonly lines?: readonly string[];
  /** Users besides the administrator, as lines of `redis.conf`. */
  readonly users?: readonly string[];
  /** It has a port without TLS only. */
  readonly plaintext?: true;
  /** The scan has no credential. */
  readonly isOpen?: true;
  /** The addresses that it is judged by. It listens on loopback. */
  readonly bind?: string;
}

const password = 'Long-enough-1-text';
const authority = testAuthority();
const certificate = authority.issue({ covers: ['127.0.0.1'] });

/** What every server of the kind does. */
const hardened = `tls-cert-file {folder}/server.crt
tls-key-file {folder}/server.key
tls-ca-cert-file {folder}/server.crt
tls-auth-clients optional
tls-replication yes
tls-cluster yes
tls-protocols "TLSv1.2 TLSv1.3"
acl-pubsub-default resetchannels
appendonly yes
save 3600 1
maxmemory 64mb`;
const closed = ['user default off'];
const application = `user shop on >${password} ~shop:* -@all +@read +@write +@connection -@dangerous -@scripting`;

/** A hardened Redis of Debian with changes, judged as if it listened on the network. */
export function redisCase(options: RedisCaseOptions): AccuracyCase {
  const {
    lines = [],
    users = [...closed, application],
    plaintext,
    isOpen,
    bind = '10.1.2.3',
    ...rest
  } = options;
  return {
    ...rest,
    // True of the Redis of Debian 12 and 13, and not what the cases are about.
    also: [...(rest.also ?? []), 'redis.version_end_of_life'],
    scan: async () => {
      const ports = plaintext ? 'port {port}' : 'port 0\ntls-port {port}';
      const administrator = `user admin on >${password} ~* &* +@all`;
      const configuration = [hardened, ports, administrator, ...users, ...lines]
        .join('\n')
        .replace('{other}', `${await freePort()}`);
      const server = await startRedis(configuration, certificate);
      try {
        const host = `127.0.0.1:${server.port}`;
        const login = isOpen ? '' : `admin:${password}@`;
        const capture = await collectRedis(host, {
          guard: loopbackGuard(),
          signal: AbortSignal.timeout(20_000),
          trustedRoots: [authority.root],
          credential: { type: 'dsn', dsn: `${plaintext ? 'redis' : 'rediss'}://${login}${host}` },
        });
        return liveScan(detectorsFor('redis'), boundTo(capture, bind));
      } finally {
        await server.close();
      }
    },
  };
}

function boundTo(capture: RedisCapture, bind: string): RedisCapture {
  if (!capture.settings.assessed) return capture;
  return { ...capture, settings: { assessed: true, value: { ...capture.settings.value, bind } } };
}
