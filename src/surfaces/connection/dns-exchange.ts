import dgram from 'node:dgram';
import net from 'node:net';
import { GrowingBuffer } from '../../bytes/growing-buffer.ts';
import { type DnsAnswer, dnsQuery, parseDnsAnswer } from './dns-message.ts';

const timeoutMs = 2_000;

/**
 * Sends a query to one name server over UDP, and again over TCP if the response is truncated (RFC 7766). For record
 * types that Node does not support.
 *
 * @param server as `dns.getServers()` writes it: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`
 * @throws the socket's error; RangeError for a malformed response; an error with `ETIMEOUT` if there is none
 */
export async function askNameServer(server: string, name: string, type: number): Promise<DnsAnswer> {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(server);
  const plain = net.isIPv6(server) ? null : /^([^:]+)(?::(\d+))?$/.exec(server);
  const host = bracketed?.[1] ?? plain?.[1] ?? server;
  const port = Number(bracketed?.[2] ?? plain?.[2] ?? 53);
  const query = dnsQuery(name, type);
  const answer = await overUdp(host, port, query);
  return answer.truncated ? await overTcp(host, port, query) : answer;
}

type Query = ReturnType<typeof dnsQuery>;

function overUdp(host: string, port: number, query: Query): Promise<DnsAnswer> {
  const socket = dgram.createSocket(net.isIPv6(host) ? 'udp6' : 'udp4');
  return withTimeout(
    (resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', message => settle(() => parseDnsAnswer(message, query), resolve, reject));
      // Connected, so that packets of other senders are dropped.
      socket.connect(port, host, () => socket.send(query.bytes));
    },
    () => socket.close(),
  );
}

function overTcp(host: string, port: number, query: Query): Promise<DnsAnswer> {
  const socket = net.connect({ host, port });
  return withTimeout(
    (resolve, reject) => {
      const pieces = new GrowingBuffer();
      socket.on('error', reject);
      socket.on('close', () => reject(new RangeError('The message is truncated.')));
      socket.on('connect', () => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(query.bytes.length);
        socket.write(Buffer.concat([length, query.bytes]));
      });
      socket.on('data', chunk => {
        pieces.append(chunk);
        const received = pieces.bytes;
        const length = received.length < 2 ? Number.POSITIVE_INFINITY : received.readUInt16BE(0);
        if (received.length < length + 2) return;
        settle(() => parseDnsAnswer(received.subarray(2, length + 2), query), resolve, reject);
      });
    },
    () => socket.destroy(),
  );
}

/** A message that does not answer this query is ignored: the answer may still arrive. */
function settle(
  parse: () => DnsAnswer | null,
  resolve: (answer: DnsAnswer) => void,
  reject: (error: unknown) => void,
): void {
  try {
    const answer = parse();
    if (answer !== null) resolve(answer);
  } catch (error) {
    reject(error);
  }
}

async function withTimeout(
  work: (resolve: (answer: DnsAnswer) => void, reject: (error: unknown) => void) => void,
  close: () => void,
): Promise<DnsAnswer> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<DnsAnswer>((resolve, reject) => {
      const late = Object.assign(new Error('The name server did not answer.'), { code: 'ETIMEOUT' });
      timer = setTimeout(() => reject(late), timeoutMs);
      work(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    close();
  }
}
