import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { Enumerated } from 'asn1js';
import {
  bitString,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from '../../src/main/sample-site/der.ts';
import { pointOf } from './passkey.ts';

/** The options of a `navigator.credentials.create` call, and its origin. */
interface Registration {
  readonly challenge: string;
  readonly origin: string;
  /** Default 16. */
  readonly credentialIdBytes?: number;
  /** For an RSA key; the default key is P-256. */
  readonly modulusBytes?: number;
  /** Size of an unknown entry; default none. */
  readonly padding?: number;
  /** Size of an unknown list; default none. */
  readonly entries?: number;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const small = (value: number) => integer(Buffer.from([value]));

/** A passkey as browsers register it without attestation (WebAuthn Level 3, section 8.7). */
export function registerWithoutAttestation(registration: Registration): object {
  return register(registration, 'none', () => []);
}

/** Self-attested by the passkey, which some browsers pass on without a request for it (section 8.2). */
export function registerWithSelfAttestation(registration: Registration): object {
  return register(registration, 'packed', ({ privateKey, signed }) => [
    ['alg', cborInteger(-7)],
    ['sig', cborBytes(sign('sha256', signed, privateKey))],
  ]);
}

/**
 * Attested as an Android key (section 8.4), by an attacker's chain whose certificates contain the URL of a revocation
 * list.
 */
export function registerWithRevocationList(registration: Registration, location: string): object {
  return register(registration, 'android-key', ({ privateKey, publicKey, signed, clientDataHash }) => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const enumerated = Buffer.from(new Enumerated({ value: 0 }).toBER());
    const description = sequence(
      small(1),
      enumerated,
      small(1),
      enumerated,
      octetString(clientDataHash),
      octetString(Buffer.alloc(0)),
      sequence(),
      sequence(),
    );
    const place = explicit(0, explicit(0, implicit(6, Buffer.from(location, 'ascii'))));
    const leaf = certificate('Leaf', publicKey, root.privateKey, [
      extension('1.3.6.1.4.1.11129.2.1.17', description),
      extension('2.5.29.31', sequence(sequence(place))),
    ]);
    return [
      ['alg', cborInteger(-7)],
      ['sig', cborBytes(sign('sha256', signed, privateKey))],
      [
        'x5c',
        cborArray([cborBytes(leaf), cborBytes(certificate('Root', root.publicKey, root.privateKey, []))]),
      ],
    ];
  });
}

interface Attested {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly clientDataHash: Buffer;
  /** The data that an attestation signs. */
  readonly signed: Buffer;
}

function register(
  { challenge, origin, credentialIdBytes = 16, modulusBytes, padding = 0, entries = 0 }: Registration,
  format: string,
  attest: (attested: Attested) => [string, Buffer][],
): object {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [x, y] = pointOf(publicKey);
  const credentialId = randomBytes(credentialIdBytes);
  const client = Buffer.from(
    JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false }),
  );
  const authData = Buffer.concat([
    sha256(new URL(origin).hostname),
    Buffer.from('4500000000', 'hex'),
    Buffer.alloc(16),
    Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]),
    credentialId,
    // A COSE key: EC2, ES256, P-256 (RFC 9053, section 7.1.1), or RSA, RS256 (RFC 8230, section 4).
    ...(modulusBytes === undefined
      ? [Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]
      : [
          Buffer.from('a401030339010020', 'hex'),
          cborBytes(randomBytes(modulusBytes)),
          Buffer.from('2143010001', 'hex'),
        ]),
  ]);
  const clientDataHash = sha256(client);
  const signed = Buffer.concat([authData, clientDataHash]);
  const statement = cborMap(attest({ privateKey, publicKey, clientDataHash, signed }));
  const attestationObject = cborMap([
    ['fmt', cborText(format)],
    ['attStmt', statement],
    ['authData', cborBytes(authData)],
    ...(padding > 0 ? [['unknown', cborBytes(Buffer.alloc(padding))] as [string, Buffer]] : []),
    ...(entries > 0 ? [['unknown', cborArray(Array(entries).fill(cborText('')))] as [string, Buffer]] : []),
  ]);
  const id = credentialId.toString('base64url');
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
    },
  };
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/** Issued by "Root" (RFC 5280, section 4.1). */
function certificate(name: string, subject: KeyObject, issuer: KeyObject, extensions: Buffer[]): Buffer {
  const named = (commonName: string) =>
    sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));
  const day = 86_400_000;
  const toBeSigned = sequence(
    explicit(0, small(2)),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    named('Root'),
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    named(name),
    subject.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [explicit(3, sequence(...extensions))] : []),
  );
  return sequence(toBeSigned, ecdsaWithSha256, bitString(sign('sha256', toBeSigned, issuer)));
}

function extension(dotted: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(dotted), octetString(value));
}

/** The head of a CBOR item (RFC 8949, section 3). */
function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}

const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text, 'ascii')]);
const cborArray = (items: Buffer[]) => Buffer.concat([cborHead(4, items.length), ...items]);
const cborMap = (entries: [string, Buffer][]) =>
  Buffer.concat([
    cborHead(5, entries.length),
    ...entries.flatMap(([name, value]) => [cborText(name), value]),
  ]);
