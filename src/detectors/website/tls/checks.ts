import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const tampering = lowers(
  safeguards.transmissionIntegrity,
  'Anyone who can pose as the server or break the connection’s cryptography can change data in transit unnoticed.',
);
const impostor = shows(
  safeguards.transmissionEncryption,
  'Encryption protects data only when clients can verify whose key they use, and this certificate check is part of that.',
);
const breakable = lowers(
  safeguards.transmissionEncryption,
  'Encryption that can be broken does not protect data in transit.',
);

const protocols = {
  nginx: 'nginx: `ssl_protocols TLSv1.2 TLSv1.3;`',
  apache: 'Apache: `SSLProtocol -all +TLSv1.2 +TLSv1.3`',
  node: "Node.js: `tls.createServer({ minVersion: 'TLSv1.2' })`",
};
const mozilla = 'https://ssl-config.mozilla.org/';
const rfc9325 = 'https://www.rfc-editor.org/rfc/rfc9325';

export const tlsChecks = {
  expired: {
    id: 'tls.certificate_expired',
    title: 'The certificate has expired',
    severity: 'high',
    why: 'Browsers show a full-page warning and other clients refuse to connect; people who click through cannot tell the site from an impostor.',
    fix: {
      advice:
        'Renew the certificate now and automate renewal, for example with an ACME client (`certbot renew` from a timer) that reloads the web server afterwards.',
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
      'https://www.rfc-editor.org/rfc/rfc8555',
    ],
    safeguards: [impostor, tampering],
  },
  notYetValid: {
    id: 'tls.certificate_not_yet_valid',
    title: 'The certificate is not valid yet',
    severity: 'high',
    why: 'Clients reject a certificate before the start of its validity, just as after its end.',
    fix: {
      advice:
        'Install a certificate whose validity has begun, and check the clock of the machine that issued it.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5'],
    safeguards: [impostor, tampering],
  },
  expiring: {
    id: 'tls.certificate_expiring',
    title: 'The certificate expires within 30 days',
    severity: 'medium',
    why: 'If it is not replaced in time, every visitor is turned away by a warning.',
    fix: {
      advice:
        'Check that automatic renewal works (`certbot renew --dry-run`) and that the web server is reloaded after it. Certificates valid for less than 90 days are reported when less than a third of that time is left.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc8555'],
    safeguards: [],
  },
  nameMismatch: {
    id: 'tls.name_mismatch',
    title: 'The certificate does not cover this host name',
    severity: 'high',
    why: 'Clients cannot tell whether they reached the right server and refuse the connection.',
    fix: {
      advice:
        'Issue a certificate whose subject alternative names hold this exact host (`certbot -d example.com -d www.example.com`), and check that the server block for this name uses it.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9525'],
    safeguards: [impostor, tampering],
  },
  untrusted: {
    id: 'tls.certificate_untrusted',
    title: 'The certificate is not issued by a trusted authority',
    severity: 'high',
    why: 'Nobody vouches for the key: anyone on the network path can present an equally good certificate and read the traffic.',
    fix: {
      advice:
        'Use a certificate from a publicly trusted authority. For an internal authority, distribute its root to the clients through device management and add it to the trusted roots of the scanner.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc5280#section-6', 'https://letsencrypt.org/docs/'],
    safeguards: [impostor, tampering],
  },
  chainIncomplete: {
    id: 'tls.chain_incomplete',
    title: 'The server does not send the intermediate certificate',
    severity: 'medium',
    why: 'Some browsers fetch the missing link on their own; mobile apps, scripts and other servers fail to connect.',
    fix: {
      advice:
        'Serve the full chain, own certificate first. nginx: point `ssl_certificate` at `fullchain.pem`, not `cert.pem`. Apache 2.4.8 or newer: the same for `SSLCertificateFile`. Node.js: concatenate both into `cert`.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2', mozilla],
    safeguards: [
      lowers(
        safeguards.transmissionEncryption,
        'Clients that cannot build the chain cannot verify whose key they encrypt to.',
      ),
    ],
  },
  legacyProtocol: {
    id: 'tls.legacy_protocol',
    title: 'An outdated TLS version is accepted',
    severity: 'medium',
    why: 'TLS 1.0 and 1.1 rest on MD5 and SHA-1, have known attacks, and must no longer be negotiated.',
    fix: { advice: `Allow TLS 1.2 and 1.3 only. ${protocols.nginx} ${protocols.apache} ${protocols.node}` },
    references: ['https://www.rfc-editor.org/rfc/rfc8996', mozilla],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The scan offers TLS 1.0 and 1.1 itself and sees whether the server refuses them, since both can be broken.',
      ),
      tampering,
    ],
  },
  weakCipher: {
    id: 'tls.weak_cipher',
    title: 'A weak cipher suite is accepted',
    severity: 'medium',
    why: 'A client that offers only weak suites, or is made to, gets a connection that can be read or altered.',
    fix: {
      advice:
        'Offer ECDHE suites with AES-GCM or ChaCha20 only. nginx: `ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;` Apache: `SSLCipherSuite ECDHE+AESGCM:ECDHE+CHACHA20` Node.js: the `ciphers` option with the same value.',
    },
    references: [`${rfc9325}#section-4.2`, 'https://www.rfc-editor.org/rfc/rfc7465', mozilla],
    safeguards: [breakable, tampering],
  },
  weakKey: {
    id: 'tls.weak_key',
    title: 'The certificate uses a short key',
    severity: 'medium',
    why: 'RSA keys under 2048 bits can be factored with enough effort, which breaks every connection that the key protects.',
    fix: {
      advice:
        'Make a new key and certificate: `openssl ecparam -name prime256v1 -genkey`, or RSA with at least 2048 bits.',
    },
    references: ['https://csrc.nist.gov/pubs/sp/800/57/pt1/r5/final', `${rfc9325}#section-4.5`],
    safeguards: [breakable, tampering],
  },
  weakSignature: {
    id: 'tls.weak_signature',
    title: 'A certificate is signed with a broken hash',
    severity: 'medium',
    why: 'Collisions in SHA-1 and MD5 are practical, so a signature may have been made for a different certificate.',
    fix: {
      advice: 'Have the certificate, and any intermediate named here, issued again with SHA-256 or better.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9155', 'https://shattered.io/'],
    safeguards: [breakable, tampering],
  },
  noTls13: {
    id: 'tls.no_tls13',
    title: 'TLS 1.3 is not offered',
    severity: 'info',
    why: 'TLS 1.3 connects faster, hides the certificate from onlookers and leaves no weak options to choose from.',
    fix: { advice: `Update to OpenSSL 1.1.1 or newer and enable it. ${protocols.nginx} ${protocols.apache}` },
    references: ['https://www.rfc-editor.org/rfc/rfc8446'],
    safeguards: [],
  },
  noCaa: {
    id: 'tls.no_caa',
    title: 'No CAA record limits who may issue certificates',
    severity: 'info',
    why: 'Without a CAA record any of the public authorities may issue a certificate for this name if it is tricked into it.',
    fix: {
      advice:
        'Publish a CAA record for the domain that names your authority, such as `example.com. CAA 0 issue "letsencrypt.org"`.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc8659'],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
