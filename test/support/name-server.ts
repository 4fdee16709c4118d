import dgram from 'node:dgram';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** The answers of a name server: `nothing` stays silent, other outcomes are DNS. */
export interface NameAnswer {
  readonly code?: 'ok' | 'nxdomain' | 'servfail';
  readonly records?: readonly NameRecord[];
  readonly authorities?: readonly NameRecord[];
  /** Over UDP: truncated, to be queried again over TCP. */
  readonly truncated?: true;
  readonly silent?: true;
  /** Sent instead of an answer. */
  readonly raw?: (query: Buffer) => Buffer;
}

export interface NameRecord {
  readonly name: string;
  readonly type: 'TXT' | 'MX' | 'DS' | 'SOA' | 'CAA';
  /** Text of TXT, in parts; exchange of MX; property and value of CAA. */
  readonly data?: readonly string[];
}

const types = { SOA: 6, MX: 15, TXT: 16, DS: 43, CAA: 257 } as const;
const codes = { ok: 0, servfail: 2, nxdomain: 3 } as const;

/**
 * A real, small name server on loopback, UDP and TCP on one port (RFC 1035).
 *
 * @param answers by name and type, as `example.com MX`; other names do not exist
 */
export async function startNameServer(answers: Readonly<Record<string, NameAnswer>>) {
  const asked: string[] = [];
  const reply = (query: Buffer, transport: 'udp' | 'tcp'): Buffer | null => {
    const { name, type, end } = questionOf(query);
    const key = `${name} ${Object.entries(types).find(([, number]) => number === type)?.[0] ?? type}`;
    asked.push(`${key} ${transport}`);
    const answer = answers[key] ?? { code: 'nxdomain' };
    if (answer.silent) return null;
    if (answer.raw) return answer.raw(query);
    const isCut = answer.truncated === true && transport === 'udp';
    const records = isCut ? [] : (answer.records ?? []);
    const authorities = isCut ? [] : (answer.authorities ?? []);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | codes[answer.code ?? 'ok'], 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt16BE(authorities.length, 8);
    return Buffer.concat([header, query.subarray(12, end), ...[...records, ...authorities].map(encode)]);
  };

  const tcp = net.createServer(socket => {
    socket.on('error', () => {});
    socket.on('data', chunk => {
      const answer = reply(chunk.subarray(2), 'tcp');
      if (answer === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.end(Buffer.concat([length, answer]));
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = dgram.createSocket('udp4');
  udp.on('message', (query, from) => {
    const answer = reply(query, 'udp');
    if (answer !== null) udp.send(answer, from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: async () => {
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query.readUInt8(at) !== 0) {
    const length = query.readUInt8(at);
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function encode({ name, type, data = [] }: NameRecord): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(types[type], 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(60, 4);
  const content = {
    TXT: () => Buffer.concat(data.map(part => Buffer.from([part.length, ...Buffer.from(part)]))),
    MX: () => Buffer.concat([Buffer.from([0, 10]), encodeName(data[0] ?? '')]),
    DS: () => Buffer.alloc(36, 7),
    // RFC 8659, 4.1: flags, the length of the property's name, the name, the value.
    CAA: () => Buffer.from(`\0${String.fromCharCode((data[0] ?? '').length)}${data.join('')}`, 'latin1'),
    SOA: () => Buffer.concat([encodeName(''), encodeName(''), Buffer.alloc(20)]),
  }[type]();
  head.writeUInt16BE(content.length, 8);
  return Buffer.concat([encodeName(name), head, content]);
}

function encodeName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.');
  return Buffer.concat([
    ...labels.map(label => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}
