import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate } from 'node:tls';
import { Constructed, fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import type { CertificateFacts } from '../../captures/tls.ts';

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

/** Whether the last certificate is one of these roots. @param roots PEM */
export function endsAt(leaf: DetailedPeerCertificate, roots: readonly string[]): boolean {
  let last = leaf;
  for (let at = 0; at < maxChain && last.issuerCertificate && last.issuerCertificate !== last; at += 1)
    last = last.issuerCertificate;
  const text = last.raw?.toString('base64') ?? '';
  return text !== '' && roots.some(root => root.replace(/\s|-----[A-Z ]{1,30}-----/g, '') === text);
}

/** @param der a certificate in DER (RFC 5280) */
function certificateFacts(der: Buffer): CertificateFacts {
  const certificate = new X509Certificate(der);
  const key = certificate.publicKey;
  const read = fromBER(der).result;
  const extensions = extensionsOf(read);
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
    signature_algorithm: signatureAlgorithm(read),
    self_signed: isSelfSigned(certificate),
    names_issuer_location: certificate.infoAccess?.includes('CA Issuers - URI:') ?? false,
    must_staple: extensions.get(tlsFeature)?.includes(statusRequest) ?? false,
    has_timestamps: extensions.has(timestampList),
  };
}

function oneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ').slice(0, 300);
}

function isoDate(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/** OpenSSL's curves without their size in the name (`openssl ecparam -list_curves`). */
const curvesBySize: Readonly<Record<number, string>> = {
  112: 'wap-wsg-idm-ecid-wtls6 wap-wsg-idm-ecid-wtls8',
  113: 'wap-wsg-idm-ecid-wtls1 wap-wsg-idm-ecid-wtls4',
  160: 'wap-wsg-idm-ecid-wtls7 wap-wsg-idm-ecid-wtls9',
  163: 'wap-wsg-idm-ecid-wtls3 wap-wsg-idm-ecid-wtls5',
  224: 'wap-wsg-idm-ecid-wtls12',
  233: 'wap-wsg-idm-ecid-wtls10 wap-wsg-idm-ecid-wtls11',
  256: 'SM2',
};

function curveBits(curve: string | undefined): number | null {
  if (curve === undefined) return null;
  const digits = /\d{3}/.exec(curve)?.[0];
  if (digits !== undefined) return Number(digits);
  const known = Object.entries(curvesBySize).find(([, names]) => names.split(' ').includes(curve));
  return known === undefined ? null : Number(known[0]);
}

function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

/** RFC 3279, 4055, 5758 and 8410, NIST's and OIW's registers, and China's SM2. */
const algorithmNames: Record<string, string> = {
  '1.2.840.113549.1.1.2': 'md2WithRSAEncryption',
  '1.2.840.113549.1.1.3': 'md4WithRSAEncryption',
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.10': 'rsassaPss',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.113549.1.1.14': 'sha224WithRSAEncryption',
  '1.2.840.10040.4.3': 'dsaWithSHA1',
  '1.3.14.3.2.27': 'dsaWithSHA1',
  '1.3.14.3.2.29': 'sha1WithRSA',
  '2.16.840.1.101.3.4.3.1': 'dsaWithSHA224',
  '2.16.840.1.101.3.4.3.2': 'dsaWithSHA256',
  '1.2.840.10045.4.1': 'ecdsaWithSHA1',
  '1.2.840.10045.4.3.1': 'ecdsaWithSHA224',
  '1.2.840.10045.4.3.2': 'ecdsaWithSHA256',
  '1.2.840.10045.4.3.3': 'ecdsaWithSHA384',
  '1.2.840.10045.4.3.4': 'ecdsaWithSHA512',
  '1.2.156.10197.1.501': 'sm2WithSM3',
  '1.3.101.112': 'ed25519',
  '1.3.101.113': 'ed448',
};

/** Hashes of RSASSA-PSS (RFC 4055, 3.1); SHA-1 if there is none. */
const pssHashes: Record<string, string> = {
  '1.2.840.113549.2.5': 'MD5',
  '1.3.14.3.2.26': 'SHA1',
  '2.16.840.1.101.3.4.2.1': 'SHA256',
  '2.16.840.1.101.3.4.2.2': 'SHA384',
  '2.16.840.1.101.3.4.2.3': 'SHA512',
  '2.16.840.1.101.3.4.2.4': 'SHA224',
};

type Read = ReturnType<typeof fromBER>['result'];

/**
 * Certificate ::= SEQUENCE { tbsCertificate SEQUENCE, signatureAlgorithm SEQUENCE { OBJECT IDENTIFIER … } … }
 * Node has no accessor for it before version 24.
 */
function signatureAlgorithm(certificate: Read): string {
  const algorithm = partsOf(certificate)[1];
  const [identifier, parameters] = partsOf(algorithm);
  const dotted = dottedOf(identifier);
  const name = algorithmNames[dotted] ?? dotted.slice(0, maxIdentifier);
  return name === 'rsassaPss' ? `${name}With${pssHash(parameters)}` : name;
}

/** RSASSA-PSS-params ::= SEQUENCE { hashAlgorithm [0] SEQUENCE { OBJECT IDENTIFIER … } DEFAULT sha1, … } */
function pssHash(parameters: Read | undefined): string {
  const hash = partsOf(parameters).find(part => isTagged(part, 0));
  if (hash === undefined) return 'SHA1';
  const dotted = dottedOf(partsOf(partsOf(hash)[0])[0]);
  return pssHashes[dotted] ?? dotted.slice(0, maxIdentifier);
}

const tlsFeature = '1.3.6.1.5.5.7.1.24';
const timestampList = '1.3.6.1.4.1.11129.2.4.2';
/** The number of the extension status_request, as an INTEGER. */
const statusRequest = Buffer.from([2, 1, 5]);

/** The values of a certificate's extensions by identifier: [3] SEQUENCE OF SEQUENCE { OBJECT IDENTIFIER, …, OCTET STRING }. */
function extensionsOf(certificate: Read): ReadonlyMap<string, Buffer> {
  const list = partsOf(partsOf(certificate)[0]).find(part => isTagged(part, 3));
  return new Map(
    partsOf(partsOf(list)[0]).map(extension => {
      const parts = partsOf(extension);
      const value = parts.at(-1);
      const bytes =
        value instanceof OctetString ? Buffer.from(value.valueBlock.valueHexView) : Buffer.alloc(0);
      return [dottedOf(parts[0]), bytes];
    }),
  );
}

const partsOf = (block: Read | undefined): readonly Read[] =>
  block instanceof Sequence || block instanceof Constructed ? block.valueBlock.value : [];

const dottedOf = (block: Read | undefined): string =>
  block instanceof ObjectIdentifier ? block.getValue() : '';

/** Whether a block has a context-specific tag. */
const isTagged = ({ idBlock }: Read, number: number) =>
  idBlock.tagClass === 3 && idBlock.tagNumber === number;
