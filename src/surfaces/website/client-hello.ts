import { randomBytes } from 'node:crypto';

/** What a client offers, as IANA's numbers. */
export interface Offer {
  readonly suites: readonly number[];
  /** For Server Name Indication; null if the target is an IP address. */
  readonly name: string | null;
  readonly groups: readonly number[];
  readonly signatures: readonly number[];
  /** Requests timestamps of certificate transparency logs (RFC 6962, 3.3.1). */
  readonly asksForTimestamps?: boolean;
}

/** X25519, P-256, P-384 and P-521. */
export const usualGroups = [0x001d, 0x0017, 0x0018, 0x0019];
export const usualSignatures = [
  0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601, 0x0203, 0x0201,
];

export const timestampExtension = 18;

/** A ClientHello of TLS 1.2 (RFC 5246, 7.4.1.2), with offers that OpenSSL does not support. */
export function clientHello({ suites, name, groups, signatures, asksForTimestamps }: Offer): Buffer {
  const extensions = Buffer.concat([
    ...(name === null
      ? []
      : [extension(0, vector(2, Buffer.concat([Buffer.from([0]), vector(2, ascii(name))])))]),
    extension(10, vector(2, uint16(groups))),
    extension(11, vector(1, Buffer.from([0]))), // uncompressed points
    extension(13, vector(2, uint16(signatures))),
    ...(asksForTimestamps ? [extension(timestampExtension, Buffer.alloc(0))] : []),
    extension(0xff01, Buffer.from([0])), // secure renegotiation
  ]);
  const body = Buffer.concat([
    uint16([0x0303]),
    randomBytes(32),
    Buffer.from([0]),
    vector(2, uint16(suites)),
    vector(1, Buffer.from([0])), // no compression
    vector(2, extensions),
  ]);
  const message = Buffer.concat([Buffer.from([1]), vector(3, body)]);
  return Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), vector(2, message)]);
}

function extension(type: number, data: Buffer): Buffer {
  return Buffer.concat([uint16([type]), vector(2, data)]);
}

function vector(lengthBytes: number, data: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(data.length, 0, lengthBytes);
  return Buffer.concat([length, data]);
}

function uint16(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value, index * 2);
  });
  return bytes;
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'ascii');
}
