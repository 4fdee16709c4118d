import { randomInt } from 'node:crypto';

/** A DNS response, as far as it is needed here (RFC 1035, 4). */
export interface DnsAnswer {
  /** 0 no error, 3 the name does not exist; others are failures. */
  readonly code: number;
  readonly truncated: boolean;
  readonly answers: readonly DnsRecordHead[];
  readonly authorities: readonly DnsRecordHead[];
}

interface DnsRecordHead {
  /** In lowercase, without the last dot; empty for the root. */
  readonly name: string;
  readonly type: number;
}

/** Type numbers from IANA's registry. */
export const dnsTypes = { soa: 6, ds: 43 } as const;

/** Limit on labels and pointers of a name, which has at most 255 bytes (RFC 1035, 2.3.4). */
const maxLabels = 127;
const maxLabelLength = 63;

export interface DnsQuery {
  readonly bytes: Buffer;
  readonly id: number;
}

/** A query of class IN, with recursion desired. @param name an ASCII host name */
export function dnsQuery(name: string, type: number): DnsQuery {
  const id = randomInt(0x10000);
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(0x0100, 2);
  header.writeUInt16BE(1, 4);
  const labels = name.split('.').map(label => {
    if (label === '' || label.length > 63) throw new RangeError('A label of the name is empty or too long.');
    return Buffer.from([label.length, ...Buffer.from(label, 'ascii')]);
  });
  const question = Buffer.alloc(5);
  question.writeUInt16BE(type, 1);
  question.writeUInt16BE(1, 3);
  return { id, bytes: Buffer.concat([header, ...labels, question]) };
}

/**
 * Parses the response to a query; null if it answers a different query.
 *
 * @throws RangeError if the message is truncated or its names contain loops
 */
export function parseDnsAnswer(message: Buffer, { bytes: asked }: DnsQuery): DnsAnswer | null {
  const flags = message.readUInt16BE(2);
  const isReply = message.readUInt16BE(0) === asked.readUInt16BE(0) && (flags & 0x8000) !== 0;
  const question = message.subarray(12, asked.length).toString('latin1').toLowerCase();
  if (!isReply || question !== asked.subarray(12).toString('latin1').toLowerCase()) return null;
  const truncated = (flags & 0x0200) !== 0;
  if (truncated) return { code: flags & 0x0f, truncated, answers: [], authorities: [] };
  let at = asked.length;
  const section = (count: number): DnsRecordHead[] =>
    Array.from({ length: count }, () => {
      const { name, end } = readName(message, at);
      const type = message.readUInt16BE(end);
      at = end + 10 + message.readUInt16BE(end + 8);
      if (at > message.length) throw new RangeError('The message is truncated.');
      return { name, type };
    });
  const answers = section(message.readUInt16BE(6));
  return { code: flags & 0x0f, truncated, answers, authorities: section(message.readUInt16BE(8)) };
}

/** Reads a compressed name (RFC 1035, 4.1.4). Pointers must point backward, which excludes loops. */
function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  let end: number | null = null;
  let limit = start;
  for (let pointers = 0; pointers <= maxLabels; ) {
    const length = message.readUInt8(at);
    if (length >= 0xc0) {
      end ??= at + 2;
      at = message.readUInt16BE(at) & 0x3fff;
      if (at >= limit) throw new RangeError('A pointer points forward.');
      limit = at;
      pointers += 1;
    } else if (length === 0) {
      return { name: labels.join('.').toLowerCase(), end: end ?? at + 1 };
    } else {
      if (labels.length >= maxLabels || length > maxLabelLength)
        throw new RangeError('The name is too long.');
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
  }
  throw new RangeError('The name has too many pointers.');
}
