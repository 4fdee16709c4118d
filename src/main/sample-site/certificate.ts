import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  nullValue,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts';

/** A generated certificate for the sample site and tests, which keeps private keys out of the repository. */
export interface MadeCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly subject: string;
  readonly privateKey: KeyObject;
}

export interface CertificateOptions {
  /** The subject's common name. */
  readonly name: string;
  /** Host names and IPv4 addresses for the subjectAltName extension. */
  readonly covers?: readonly string[];
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Signs the certificate; without an issuer it is self-signed. */
  readonly issuer?: MadeCertificate;
  readonly key?: 'ec' | 'rsa1024' | 'rsa2048';
  readonly hash?: 'sha256' | 'sha1';
  readonly authority?: boolean;
  /** URL of the issuer's certificate (RFC 5280, 4.2.2.1). */
  readonly issuerLocation?: string;
  /** Requires a stapled OCSP response (RFC 7633). */
  readonly mustStaple?: boolean;
}

/** Makes a version 3 certificate (RFC 5280, 4.1). */
export function makeCertificate(options: CertificateOptions): MadeCertificate {
  const { publicKey, privateKey } = keyPair(options.key ?? 'ec');
  const signingKey = options.issuer?.privateKey ?? privateKey;
  const hash = options.hash ?? 'sha256';
  const algorithm = signatureAlgorithm(signingKey, hash);
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(options.issuer?.subject ?? options.name),
    sequence(time(options.validFrom), time(options.validTo)),
    distinguishedName(options.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(options))),
  );
  const der = sequence(toBeSigned, algorithm, bitString(sign(hash, toBeSigned, signingKey)));
  return {
    certificate: pem(der),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    subject: options.name,
    privateKey,
  };
}

function keyPair(kind: 'ec' | 'rsa1024' | 'rsa2048'): { publicKey: KeyObject; privateKey: KeyObject } {
  return kind === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: kind === 'rsa1024' ? 1024 : 2048 });
}

function signatureAlgorithm(key: KeyObject, hash: 'sha256' | 'sha1'): Buffer {
  if (key.asymmetricKeyType === 'ec') {
    return sequence(objectIdentifier(hash === 'sha1' ? '1.2.840.10045.4.1' : '1.2.840.10045.4.3.2'));
  }
  const dotted = hash === 'sha1' ? '1.2.840.113549.1.1.5' : '1.2.840.113549.1.1.11';
  return sequence(objectIdentifier(dotted), nullValue());
}

function distinguishedName(commonName: string): Buffer {
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));
}

function extensions(options: CertificateOptions): Buffer[] {
  const list = [extension('2.5.29.19', sequence(...(options.authority ? [boolean(true)] : [])), true)];
  const names = (options.covers ?? []).map(name =>
    isIPv4(name)
      ? implicit(7, Buffer.from(name.split('.').map(Number)))
      : implicit(2, Buffer.from(name, 'ascii')),
  );
  if (names.length > 0) list.push(extension('2.5.29.17', sequence(...names), false));
  if (options.issuerLocation !== undefined) {
    const location = implicit(6, Buffer.from(options.issuerLocation, 'ascii'));
    const access = sequence(objectIdentifier('1.3.6.1.5.5.7.48.2'), location);
    list.push(extension('1.3.6.1.5.5.7.1.1', sequence(access), false));
  }
  if (options.mustStaple) {
    const statusRequest = integer(Buffer.from([5]));
    list.push(extension('1.3.6.1.5.5.7.1.24', sequence(statusRequest), false));
  }
  return list;
}

function extension(dotted: string, value: Buffer, critical: boolean): Buffer {
  return sequence(objectIdentifier(dotted), ...(critical ? [boolean(true)] : []), octetString(value));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
