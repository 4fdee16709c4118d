import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { references, settings } from '../fix.ts';

const changeable = lowers(
  safeguards.transmissionIntegrity,
  'Unencrypted or weakly encrypted connections can be changed in transit unnoticed.',
);
const readable = lowers(
  safeguards.transmissionEncryption,
  'Data crosses the network in clear text, or with encryption that can be broken.',
);
const files = {
  '/etc/redis/server.crt': 'the server’s certificate',
  '/etc/redis/server.key': 'its key',
  '/etc/redis/ca.pem': 'the authority’s certificate',
};
const certificate = `tls-cert-file /etc/redis/server.crt
tls-key-file /etc/redis/server.key
tls-ca-cert-file /etc/redis/ca.pem`;

export const transportChecks = {
  plaintextAllowed: {
    id: 'redis.plaintext_allowed',
    title: 'Unencrypted connections are accepted',
    severity: 'high',
    why: 'Anyone on the network between a client and the server can read every command, every value and the password, which Redis sends in clear text.',
    fix: {
      advice:
        'Give the server a certificate, let all clients, replicas and sentinels use TLS, then close the plaintext port. Redis before 6.0 does not support TLS: upgrade.',
      steps: [
        settings(`port 0\ntls-port 6379\n${certificate}\ntls-auth-clients optional`, {
          replace: { '6379': 'the port of clients', ...files },
        }),
      ],
    },
    references: [references.tls, references.valkeyTls],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s settings show whether it has a port for unencrypted connections.',
      ),
      changeable,
    ],
  },
  oldVersion: {
    id: 'redis.tls_version_old',
    title: 'TLS 1.0 or 1.1 is accepted',
    severity: 'medium',
    why: 'These versions have known weaknesses, and browsers and standards have dropped them.',
    fix: {
      advice: 'Allow TLS 1.2 and 1.3 only. All current clients support them.',
      steps: [settings('tls-protocols "TLSv1.2 TLSv1.3"')],
    },
    references: [references.tls, 'https://www.rfc-editor.org/rfc/rfc8996'],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s setting shows whether it refuses TLS 1.0 and 1.1, which can be broken.',
      ),
      changeable,
    ],
  },
  weakCiphers: {
    id: 'redis.tls_ciphers_weak',
    title: 'Weak TLS ciphers are allowed',
    severity: 'medium',
    why: 'A connection with such a cipher can be decrypted, or has no authentication.',
    fix: {
      advice: 'Allow only ciphers with forward secrecy and authenticated encryption.',
      steps: [settings('tls-ciphers ECDHE+AESGCM:ECDHE+CHACHA20')],
    },
    references: [references.tls, 'https://www.rfc-editor.org/rfc/rfc9325'],
    safeguards: [readable, changeable],
  },
  clientCertificates: {
    id: 'redis.client_certificates_optional',
    title: 'Clients need no certificate',
    severity: 'info',
    why: 'With client certificates, a stolen password alone is not enough to connect.',
    fix: {
      advice:
        'Where all clients can have certificates, require them with `tls-auth-clients yes`. Parapet has none: keep `optional` for a server that it scans.',
    },
    references: [references.tls],
    safeguards: [],
  },
  replicationPlaintext: {
    id: 'redis.replication_plaintext',
    title: 'Replication is not encrypted',
    severity: 'high',
    why: 'The primary sends all data and all later changes in clear text, and anyone on the network between can change them.',
    fix: {
      advice: 'Give the primary a TLS port, and let replicas connect to it with TLS.',
      steps: [settings(`tls-replication yes\n${certificate}`, { replace: files })],
    },
    references: [references.tls, references.replication],
    safeguards: [readable, changeable],
  },
  clusterPlaintext: {
    id: 'redis.cluster_bus_plaintext',
    title: 'Cluster nodes talk without encryption',
    severity: 'medium',
    why: 'The cluster bus has no password. Anyone on the network can read and change messages between nodes, and so take over their slots.',
    fix: {
      advice: 'Turn on TLS for the cluster bus on all nodes, and allow its port only between them.',
      steps: [settings(`tls-cluster yes\n${certificate}`, { replace: files })],
    },
    references: [references.tls],
    safeguards: [readable, changeable],
  },
} as const satisfies Record<string, Check>;
