import { allAt } from '../../../captures/places.ts';
import type { CertificateFacts, HandshakeFacts, TlsFacts } from '../../../captures/tls.ts';
import type { WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { httpsOrigin } from '../response.ts';
import { tlsChecks as checks } from './checks.ts';

const day = 86_400_000;

/** The certificate, protocol versions and cipher suites of the HTTPS service. */
export const tlsDetector: Detector<WebsiteCapture> = {
  name: 'website.tls',
  surface: 'website',
  reads: ['tls', 'caa'],
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { noCaa, ...ofHandshake } = checks;
    if (capture.tls.assessed) {
      const origin = httpsOrigin(capture.site);
      const now = Date.parse(capture.collected_at);
      const places = detectCertificate(found, origin, capture.tls.value, now) ? [allAt(origin)] : [];
      detectTimestamps(found, origin, capture.tls.value);
      detectProtocols(found, origin, capture.tls.value);
      detectWeakCiphers(found, origin, capture.tls.value);
      detectGroup(found, origin, capture.tls.value);
      for (const { origin, handshake } of capture.tls.value.further_hosts) {
        if (!handshake.assessed) found.cannotAssess([...ofCertificate, notLogged], handshake.reason);
        else if (handshake.value === null || detectCertificate(found, origin, handshake.value, now))
          places.push(allAt(origin));
      }
      // A host to which the site no longer redirects, or too late, was not tested.
      found.assessesOnly(ofCertificate, places);
    } else if (hasNoTls(capture)) {
      found.doesNotApply(Object.values(ofHandshake), capture.tls.reason);
    } else {
      found.cannotAssess(Object.values(ofHandshake), capture.tls.reason);
    }
    if (!capture.caa.assessed) {
      found.cannotAssess([noCaa], capture.caa.reason);
    } else if (capture.caa.value === null) {
      found.doesNotApply([noCaa], 'Only public domain names have CAA records.');
    } else if (capture.caa.value.found_at === null) {
      found.observe(
        noCaa,
        capture.site.hostname,
        'Neither the hostname nor any parent domain has a CAA record.',
      );
    }
  }),
};

/** A site without HTTPS is one finding of the transport detector, not several of certificates. */
function hasNoTls({ site, https }: WebsiteCapture): boolean {
  return site.https_port === null || (https.assessed && !https.value.served);
}

const { legacyProtocol, weakCipher, weakGroup, noTls13, noCaa, notLogged, ...others } = checks;
const ofCertificate = Object.values(others);

/** @returns whether there is a certificate */
function detectCertificate(
  found: DetectionBuilder,
  origin: string,
  tls: HandshakeFacts,
  now: number,
): boolean {
  const leaf = tls.chain[0];
  if (leaf === undefined) {
    found.cannotAssess([...ofCertificate, notLogged], 'The server sent no certificate.');
    return false;
  }
  detectValidity(found, origin, leaf, now);
  if (!tls.hostname_matches) {
    const names = leaf.subject_alt_names.slice(0, 5).join(', ');
    const seen =
      names === ''
        ? `The certificate has only the common name of ${quoted(leaf.subject, 200)}, which browsers ignore, and no subject alternative names.`
        : `The certificate covers ${quoted(names, 200)}.`;
    found.observe(checks.nameMismatch, origin, seen);
  }
  if (leaf.must_staple && !tls.stapled) {
    const seen = 'The certificate requires a stapled OCSP response, and the server sends none.';
    found.observe(checks.stapleMissing, origin, seen);
  }
  detectTrust(found, origin, tls, leaf, now);
  tls.chain.forEach((certificate, index) => {
    // Clients trust roots by identity, so a root's own signature does not matter.
    if (index > 0 && certificate.self_signed) return;
    const place = index === 0 ? `${origin} certificate` : `${origin} issuer ${certificate.subject}`;
    detectStrength(found, place, certificate);
  });
  return true;
}

function detectValidity(found: DetectionBuilder, origin: string, leaf: CertificateFacts, now: number): void {
  const begin = Date.parse(leaf.not_before);
  const end = Date.parse(leaf.not_after);
  if (end < now) {
    found.observe(checks.expired, origin, `The certificate expired at ${leaf.not_after}.`);
  } else if (begin > now) {
    found.observe(checks.notYetValid, origin, `The certificate is valid from ${leaf.not_before}.`);
  } else if (end - now < Math.min(30 * day, (end - begin) / 3)) {
    found.observe(checks.expiring, origin, `The certificate expires at ${leaf.not_after}.`);
  }
}

function detectTrust(
  found: DetectionBuilder,
  origin: string,
  tls: HandshakeFacts,
  leaf: CertificateFacts,
  now: number,
) {
  const error = tls.authorization_error;
  if (error === null) return;
  const outsideValidity = Date.parse(leaf.not_after) < now || Date.parse(leaf.not_before) > now;
  const onlyValidity = error === 'CERT_HAS_EXPIRED' || error === 'CERT_NOT_YET_VALID';
  if (onlyValidity && outsideValidity && !leaf.self_signed) return;
  // A lone leaf that names its issuer's location usually means a forgotten intermediate. A private authority
  // that publishes its issuer cannot be distinguished, and is reported with the lower severity.
  const onlyLeaf = tls.chain.length === 1 && !leaf.self_signed && leaf.names_issuer_location;
  if (onlyLeaf && /ISSUER|VERIFY_LEAF/.test(error))
    return found.observe(
      checks.chainIncomplete,
      origin,
      `The server sends only its own certificate, not the intermediate ${quoted(leaf.issuer)}.`,
    );
  const reason = leaf.self_signed
    ? 'The certificate is self-signed.'
    : onlyValidity
      ? 'An intermediate certificate has expired or is not valid yet.'
      : `The issuer ${quoted(tls.chain.at(-1)?.issuer ?? leaf.issuer)} is unknown or does not chain to a trusted root.`;
  found.observe(checks.untrusted, origin, reason);
}

function detectStrength(found: DetectionBuilder, place: string, certificate: CertificateFacts): void {
  const { key_bits: bits, key_type: type, signature_algorithm: algorithm } = certificate;
  const minimum = type.startsWith('rsa') || type === 'dsa' ? 2048 : type === 'ec' ? 224 : 0;
  if (bits !== null && bits < minimum) {
    found.observe(checks.weakKey, place, `The key is ${type.toUpperCase()} with ${bits} bits.`);
  }
  if (/sha1|md[245]/i.test(algorithm)) {
    found.observe(checks.weakSignature, place, `The signature algorithm is ${algorithm}.`);
  }
}

function detectProtocols(found: DetectionBuilder, origin: string, tls: TlsFacts) {
  for (const { version, support, reason } of tls.protocols) {
    const isLegacy = version === 'TLSv1' || version === 'TLSv1.1';
    if (support === 'not_assessed' && version !== 'TLSv1.2') {
      found.cannotAssess(
        [isLegacy ? checks.legacyProtocol : checks.noTls13],
        reason ?? 'The TLS version could not be tested.',
      );
    } else if (isLegacy && support === 'accepted') {
      found.observe(
        checks.legacyProtocol,
        `${origin} ${version}`,
        `The server completed a ${version} handshake.`,
      );
    } else if (version === 'TLSv1.3' && support === 'refused') {
      found.observe(
        checks.noTls13,
        origin,
        `The newest version that the server supports is ${tls.negotiated_version}.`,
      );
    }
  }
}

function detectWeakCiphers(found: DetectionBuilder, origin: string, tls: TlsFacts) {
  if (!tls.weak_ciphers.assessed) return found.cannotAssess([checks.weakCipher], tls.weak_ciphers.reason);
  const { chosen: suites, is_complete } = tls.weak_ciphers.value;
  const placeOf = (suite: string) => `${origin} ${suite}`;
  // A suite that was not offered may still be accepted.
  if (!is_complete) found.assessesOnly(checks.weakCipher, suites.map(placeOf));
  const keepsNoSecret = (suite: string) => /^TLS_RSA_WITH_(?:AES|ARIA|CAMELLIA|SEED)_/.test(suite);
  const withoutSecrecy = suites.filter(keepsNoSecret);
  for (const suite of suites.filter(suite => !keepsNoSecret(suite))) {
    found.observe(checks.weakCipher, placeOf(suite), `The server accepts ${suite}.`);
  }
  if (withoutSecrecy.length > 0) {
    // The encryption is sound, but a leaked key decrypts recorded traffic: less urgent than a broken cipher.
    found.observe(
      checks.weakCipher,
      `${origin} RSA key transport`,
      `The server accepts ${withoutSecrecy[0]}, which has no forward secrecy.`,
      'low',
    );
  }
}

function detectGroup(found: DetectionBuilder, origin: string, { dh_bits }: TlsFacts) {
  if (!dh_bits.assessed) return found.cannotAssess([checks.weakGroup], dh_bits.reason);
  const bits = dh_bits.value;
  if (bits === null || bits >= 2048) return;
  const seen = `The server uses a Diffie-Hellman group of ${bits} bits.`;
  // Groups of up to 1,024 bits can be broken by states, and with them all connections to servers with the same group.
  found.observe(checks.weakGroup, origin, seen, ...(bits > 1024 ? (['low'] as const) : []));
}

/** Chrome and Safari accept certificates of public authorities only with timestamps of logs. */
function detectTimestamps(
  found: DetectionBuilder,
  origin: string,
  { publicly_trusted, has_timestamps }: TlsFacts,
) {
  if (!publicly_trusted) return;
  if (!has_timestamps.assessed) return found.cannotAssess([checks.notLogged], has_timestamps.reason);
  if (has_timestamps.value) return;
  const seen =
    'Neither the certificate nor the handshake contains timestamps of certificate transparency logs.';
  found.observe(checks.notLogged, origin, seen);
}
