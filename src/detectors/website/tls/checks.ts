import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { certificateSteps, nodeServer } from '../../remediation/https.ts';
import type { Step } from '../../remediation/step.ts';

const tampering = lowers(
  safeguards.transmissionIntegrity,
  'Anyone who can pose as the server or break the connection’s cryptography can change data in transit unnoticed.',
);
const impostor = shows(
  safeguards.transmissionEncryption,
  'Encryption protects data only if clients can verify the key, which requires a valid certificate.',
);
const breakable = lowers(
  safeguards.transmissionEncryption,
  'Encryption that can be broken does not protect data in transit.',
);

const renew: Step = {
  place: 'shell',
  code: "certbot renew --deploy-hook 'systemctl reload nginx'",
  replace: { nginx: 'the service of the web server' },
  note: 'Certbot stores the hook for later renewals.',
};

/** @param more further options of `certbot certonly` */
const reissue = (more = ''): Step => ({
  place: 'shell',
  code: `certbot certonly --webroot -w /var/www/html -d example.com${more}`,
  replace: { 'example.com': 'the site’s hostname', '/var/www/html': 'the site’s document root' },
});

const mozilla = 'https://ssl-config.mozilla.org/';
const rfc9325 = 'https://www.rfc-editor.org/rfc/rfc9325';

const ofDefaultServer = 'nginx applies the setting of the default server block of each address.';

const protocols: readonly Step[] = [
  { place: 'nginx.server', code: 'ssl_protocols TLSv1.2 TLSv1.3;', note: ofDefaultServer },
  { place: 'apache.host', code: 'SSLProtocol -all +TLSv1.2 +TLSv1.3' },
  { place: 'haproxy.global', code: 'ssl-default-bind-options ssl-min-ver TLSv1.2' },
];

/** Suites with ephemeral keys on elliptic curves and authenticated encryption. */
const ecdheOnly: readonly Step[] = [
  { place: 'nginx.server', code: 'ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;', note: ofDefaultServer },
  { place: 'apache.host', code: 'SSLCipherSuite ECDHE+AESGCM:ECDHE+CHACHA20' },
  { place: 'haproxy.global', code: 'ssl-default-bind-ciphers ECDHE+AESGCM:ECDHE+CHACHA20' },
  nodeServer(["ciphers: 'TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20',"]),
];

export const tlsChecks = {
  expired: {
    id: 'tls.certificate_expired',
    title: 'The certificate has expired',
    severity: 'high',
    why: 'Browsers show a full-page warning and other clients refuse to connect. Visitors who click through cannot distinguish the site from an impostor.',
    fix: {
      advice:
        'Renew the certificate and automate renewal with an ACME client. The web server must reload after each renewal.',
      steps: [renew, ...certificateSteps('Reload the server after each renewal.')],
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
      'https://www.rfc-editor.org/rfc/rfc8555',
    ],
    safeguards: [impostor, tampering],
    revisited: true,
  },
  notYetValid: {
    id: 'tls.certificate_not_yet_valid',
    title: 'The certificate is not valid yet',
    severity: 'high',
    why: 'Clients reject a certificate before its validity period starts, just as they do after it ends.',
    fix: {
      advice:
        'Install a certificate that is already valid, and check the clock of the machine that issued this one.',
      steps: certificateSteps(),
    },
    references: ['https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5'],
    safeguards: [impostor, tampering],
    revisited: true,
  },
  expiring: {
    id: 'tls.certificate_expiring',
    title: 'The certificate expires soon',
    severity: 'medium',
    why: 'If it is not renewed in time, every visitor sees a warning instead of the site.',
    fix: {
      advice:
        'Check that automatic renewal works and that the web server reloads after it. Certificates are reported 30 days before they expire, or when less than a third of their lifetime remains if they are valid for less than 90 days.',
      steps: [renew],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc8555'],
    safeguards: [],
    revisited: true,
  },
  nameMismatch: {
    id: 'tls.name_mismatch',
    title: 'The certificate does not cover this hostname',
    severity: 'high',
    why: 'Clients cannot verify that they reached the right server, and refuse the connection.',
    fix: {
      advice:
        'Issue a certificate with this hostname among its subject alternative names, and configure the site to use it.',
      steps: [reissue(), ...certificateSteps()],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9525'],
    safeguards: [impostor, tampering],
    revisited: true,
  },
  untrusted: {
    id: 'tls.certificate_untrusted',
    title: 'The certificate is not issued by a trusted authority',
    severity: 'high',
    why: 'Clients cannot verify the key, so anyone on the network path can present a different certificate and read the traffic.',
    fix: {
      advice:
        'Use a certificate from a publicly trusted authority. For an internal authority, distribute its root to clients through device management and add it to the scanner’s trusted roots.',
      steps: [reissue(), ...certificateSteps()],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc5280#section-6', 'https://letsencrypt.org/docs/'],
    safeguards: [impostor, tampering],
    revisited: true,
  },
  chainIncomplete: {
    id: 'tls.chain_incomplete',
    title: 'The intermediate certificate is missing',
    severity: 'medium',
    why: 'Some browsers download the missing certificate, but mobile apps, scripts and other servers fail to connect.',
    fix: {
      advice: 'Serve the full chain: the site’s certificate first, then each intermediate.',
      steps: certificateSteps('`fullchain.pem` contains the intermediates, `cert.pem` does not.'),
    },
    references: ['https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2', mozilla],
    safeguards: [
      lowers(
        safeguards.transmissionEncryption,
        'Clients that cannot build the chain cannot verify whose key they encrypt to.',
      ),
    ],
    revisited: true,
  },
  legacyProtocol: {
    id: 'tls.legacy_protocol',
    title: 'An outdated TLS version is accepted',
    severity: 'medium',
    why: 'TLS 1.0 and 1.1 depend on MD5 and SHA-1, have known attacks and are formally deprecated.',
    fix: {
      advice: 'Accept TLS 1.2 and 1.3 only.',
      steps: [...protocols, nodeServer(["minVersion: 'TLSv1.2',"])],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc8996', mozilla],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The scan offers TLS 1.0 and 1.1, which can be broken, and checks that the server refuses them.',
      ),
      tampering,
    ],
  },
  weakCipher: {
    id: 'tls.weak_cipher',
    title: 'A weak cipher suite is accepted',
    severity: 'medium',
    why: 'A client that offers only weak suites, or is forced to, gets a connection that attackers can read or change.',
    fix: {
      advice: 'Accept only ECDHE suites with AES-GCM or ChaCha20.',
      steps: ecdheOnly,
    },
    references: [`${rfc9325}#section-4.2`, 'https://www.rfc-editor.org/rfc/rfc7465', mozilla],
    safeguards: [breakable, tampering],
  },
  weakKey: {
    id: 'tls.weak_key',
    title: 'The certificate’s key is too short',
    severity: 'medium',
    why: 'RSA keys under 2048 bits can be factored with enough effort, which breaks every connection that the key protects.',
    fix: {
      advice: 'Issue a new certificate for a new key: ECDSA P-256, or RSA with at least 2048 bits.',
      steps: [reissue(' --key-type ecdsa --elliptic-curve secp256r1 --force-renewal'), ...certificateSteps()],
    },
    references: ['https://csrc.nist.gov/pubs/sp/800/57/pt1/r5/final', `${rfc9325}#section-4.5`],
    safeguards: [breakable, tampering],
    revisited: true,
  },
  weakSignature: {
    id: 'tls.weak_signature',
    title: 'A certificate is signed with a broken hash',
    severity: 'medium',
    why: 'SHA-1 and MD5 collisions are practical, so the signature may have been made for another certificate.',
    fix: {
      advice:
        'Have the certificate reissued with SHA-256 or better. If the finding names an intermediate, replace that too.',
      steps: [reissue(' --force-renewal'), ...certificateSteps()],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9155', 'https://shattered.io/'],
    safeguards: [breakable, tampering],
    revisited: true,
  },
  weakGroup: {
    id: 'tls.weak_dh_group',
    title: 'A weak Diffie-Hellman group is used',
    severity: 'medium',
    why: 'Keys that are exchanged with a group of 1,024 bits or less can be computed with enough effort, and most servers share the same few groups (Logjam).',
    fix: {
      advice: 'Accept only ECDHE suites. If DHE is required, use a group of at least 2,048 bits (RFC 7919).',
      steps: ecdheOnly.filter(({ place }) => place !== 'node.file'),
    },
    references: ['https://weakdh.org/', `${rfc9325}#section-4.4`, 'https://www.rfc-editor.org/rfc/rfc7919'],
    safeguards: [breakable, tampering],
  },
  stapleMissing: {
    id: 'tls.staple_missing',
    title: 'The certificate requires a stapled OCSP response, but none is sent',
    severity: 'medium',
    why: 'Browsers that support the requirement, such as Firefox, refuse the connection.',
    fix: {
      advice: 'Turn on OCSP stapling in the web server, or issue a certificate without the requirement.',
      steps: [reissue(' --force-renewal')],
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc7633',
      'https://www.rfc-editor.org/rfc/rfc6066#section-8',
    ],
    safeguards: [],
    revisited: true,
  },
  notLogged: {
    id: 'tls.not_logged',
    title: 'The certificate is in no certificate transparency log',
    severity: 'medium',
    why: 'Chrome, Edge and Safari refuse certificates of public authorities that are not logged, because one that was issued to an impostor would go unnoticed.',
    fix: {
      advice:
        'Have the certificate reissued by an authority that logs it, which all public authorities do by default.',
      steps: [reissue(' --force-renewal')],
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc6962',
      'https://googlechrome.github.io/CertificateTransparency/ct_policy.html',
    ],
    safeguards: [
      lowers(
        safeguards.transmissionEncryption,
        'A certificate that was issued to an impostor would go unnoticed.',
      ),
    ],
  },
  noTls13: {
    id: 'tls.no_tls13',
    title: 'TLS 1.3 is not supported',
    severity: 'info',
    why: 'TLS 1.3 connects faster, encrypts the certificate and has no weak options.',
    fix: { advice: 'Enable TLS 1.3. It requires OpenSSL 1.1.1 or newer.', steps: protocols.slice(0, 2) },
    references: ['https://www.rfc-editor.org/rfc/rfc8446'],
    safeguards: [],
  },
  noCaa: {
    id: 'tls.no_caa',
    title: 'No CAA record restricts who can issue certificates',
    severity: 'info',
    why: 'Without a CAA record, any public authority can be tricked into issuing a certificate for this name.',
    fix: {
      advice: 'Publish a CAA record that names the authority you use.',
      steps: [
        {
          place: 'dns.zone',
          code: 'example.com. CAA 0 issue "letsencrypt.org"',
          replace: { 'example.com': 'the domain', 'letsencrypt.org': 'the authority’s CAA name' },
        },
      ],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc8659'],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
