import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate } from 'node:tls';
import { fromBER, ObjectIdentifier, Sequence } from 'asn1js';
import type { CertificateFacts } from '../../captures/website.ts';

const maxChain = 10;
const maxNames = 100;
/** Limit on characters of an object identifier. */
const maxIdentifier = 100;

/** The certificates of a handshake as facts, the server's own first. */
export function certificateChain(leaf: DetailedPeerCertificate): CertificateFacts[] {
  const chain: CertificateFacts[] = [];
  const seen = new Set<string>();
  let current: DetailedPeerCertificate | undefined = leaf;
  // A self-signed certificate names itself as its issuer.
  while (current?.raw && !seen.has(current.fingerprint256) && chain.length < maxChain) {
    seen.add(current.fingerprint256);
    chain.push(certificateFacts(current.raw));
    current = current.issuerCertificate;
  }
  return chain;
}

/** @param der a certificate in DER (RFC 5280) */
function certificateFacts(der: Buffer): CertificateFacts {
  const certificate = new X509Certificate(der);
  const key = certificate.publicKey;
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    subject_alt_names:
      certificate.subjectAltName
        ?.split(', ')
        .slice(0, maxNames)
        .map(name => name.slice(0, 300)) ?? [],
    not_before: isoDate(certificate.validFrom),
    not_after: isoDate(certificate.validTo),
    key_type: key.asymmetricKeyType ?? 'unknown',
    key_bits: key.asymmetricKeyDetails?.modulusLength ?? curveBits(key.asymmetricKeyDetails?.namedCurve),
    signature_algorithm: signatureAlgorithm(der),
    self_signed: isSelfSigned(certificate),
    names_issuer_location: certificate.infoAccess?.includes('CA Issuers - URI:') ?? false,
  };
}

function oneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ').slice(0, 300);
}

function isoDate(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function curveBits(curve: string | undefined): number | null {
  const digits = curve?.match(/\d{3}/)?.[0];
  return digits === undefined ? null : Number(digits);
}

function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

/** The algorithms that occur in practice or are known to be weak (RFC 3279, 4055, 5758, 8410). */
const algorithmNames: Record<string, string> = {
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.10': 'rsassaPss',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10040.4.3': 'dsaWithSHA1',
  '1.2.840.10045.4.1': 'ecdsaWithSHA1',
  '1.2.840.10045.4.3.2': 'ecdsaWithSHA256',
  '1.2.840.10045.4.3.3': 'ecdsaWithSHA384',
  '1.2.840.10045.4.3.4': 'ecdsaWithSHA512',
  '1.3.101.112': 'ed25519',
};

/**
 * Certificate ::= SEQUENCE { tbsCertificate SEQUENCE, signatureAlgorithm SEQUENCE { OBJECT IDENTIFIER … } … }
 * Node has no accessor for it before version 24.
 */
function signatureAlgorithm(der: Buffer): string {
  const certificate = fromBER(der).result;
  const algorithm = certificate instanceof Sequence ? certificate.valueBlock.value[1] : undefined;
  const identifier = algorithm instanceof Sequence ? algorithm.valueBlock.value[0] : undefined;
  const dotted = identifier instanceof ObjectIdentifier ? identifier.getValue() : '';
  return algorithmNames[dotted] ?? dotted.slice(0, maxIdentifier);
}
