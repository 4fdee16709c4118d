import type { Socket } from 'node:net';
import { clientHello, type Offer } from './client-hello.ts';
import { codeOf } from './failure.ts';

/** Bytes of the server's first messages: a certificate chain has a few kilobytes. */
const mostBytes = 64 * 1024;
/** Each part causes all received bytes to be read again, and a server could send single bytes. */
const mostParts = 200;

const [alert, handshake] = [0x15, 0x16];
const fatal = 2;
/** Of handshake messages (RFC 5246, 7.4). */
export const messageTypes = {
  serverHello: 2,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
} as const;

export interface Message {
  readonly type: number;
  readonly content: Buffer;
}

/** What a server sent until it waits for the client. */
export interface FirstMessages {
  readonly messages: readonly Message[];
  /** How it ended without waiting: by a fatal alert, or by closing the connection. */
  readonly refused: 'alert' | 'closed' | null;
}

/** A server's first, unencrypted messages of TLS 1.2 (RFC 5246, 7.4) to an offer. Closes the connection; never rejects. */
export async function firstMessages(socket: Socket, offer: Offer): Promise<FirstMessages> {
  socket.on('error', () => {});
  let received = Buffer.alloc(0);
  let isSilent = false;
  try {
    let parts = 0;
    socket.write(clientHello(offer));
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      const read = readMessages(received);
      parts += 1;
      if (read.ended || received.length > mostBytes || parts === mostParts) return read;
    }
  } catch (error) {
    // The messages before the error are either sufficient or show nothing.
    isSilent = codeOf(error) !== 'ECONNRESET';
  } finally {
    socket.destroy();
  }
  const { messages, refused } = readMessages(received);
  return { messages, refused: refused ?? (received.length === 0 && !isSilent ? 'closed' : null) };
}

/** The handshake messages in complete records, and whether the server waits for an answer. */
function readMessages(bytes: Buffer): FirstMessages & { readonly ended: boolean } {
  const parts: Buffer[] = [];
  let ended = false;
  let refused: FirstMessages['refused'] = null;
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (end > bytes.length) break;
    if (bytes[at] === handshake) parts.push(bytes.subarray(at + 5, end));
    else ended = true;
    if (bytes[at] === alert && bytes[at + 5] === 1) ended = false;
    if (bytes[at] === alert && bytes[at + 5] === fatal) refused = 'alert';
    at = end;
  }
  const stream = Buffer.concat(parts);
  const messages: Message[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUIntBE(at + 1, 3);
    if (end > stream.length) break;
    messages.push({ type: stream[at]!, content: stream.subarray(at + 4, end) });
    at = end;
  }
  const isDone = messages.some(({ type }) => type === messageTypes.serverHelloDone);
  return { messages, refused, ended: ended || isDone };
}
