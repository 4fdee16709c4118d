import type net from 'node:net';
import { GrowingBuffer } from '../../bytes/growing-buffer.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { Screen } from '../connection/driver-stream.ts';
import { readAnswer } from '../connection/opening-talk.ts';
import { codeOfErrorNumber } from './failure.ts';
import { LogIn } from './log-in.ts';

const headerLength = 4;
const maxLength = 64 * 1024;
const errorMark = 0xff;
const protocolVersion = 10;
const tlsFlag = 0x0800;

export interface Greeting {
  /** As received, for the driver. */
  readonly packet: Buffer;
  readonly offersTls: boolean;
}

/** Waits for the first packet of a MySQL or MariaDB server. @throws ConnectionFailed, or the signal's reason */
export function readGreeting(socket: net.Socket, signal: AbortSignal): Promise<Greeting> {
  return readAnswer(socket, signal, received => {
    if (received.length <= headerLength) return undefined;
    const length = received.readUIntLE(0, 3);
    const [mark] = received.subarray(headerLength);
    const isGreeting = mark === protocolVersion || mark === errorMark;
    if (!isGreeting || received[3] !== 0 || length > maxLength)
      throw new ConnectionFailed('protocol_invalid');
    if (received.length < headerLength + length) return undefined;
    // The client is next. More data could have been injected on the network before TLS starts.
    if (received.length > headerLength + length) throw new ConnectionFailed('protocol_invalid');
    const body = received.subarray(headerLength);
    if (mark === errorMark && length >= 3)
      throw new ConnectionFailed(codeOfErrorNumber(body.readUInt16LE(1)));
    // After the version: the connection's number, eight bytes for the login and a filler.
    const flags = body.indexOf(0, 1) + 1 + 4 + 8 + 1;
    if (flags + 2 > length) throw new ConnectionFailed('protocol_invalid');
    return { packet: received, offersTls: (body.readUInt16LE(flags) & tlsFlag) !== 0 };
  });
}

/**
 * The TLS request: the first 32 bytes of the driver's login with a separate header. The login follows inside the
 * encrypted connection, with the next number.
 */
export function tlsRequest(login: Buffer): Buffer {
  const request = Buffer.from(login.subarray(0, headerLength + 32));
  request.writeUIntLE(32, 0, 3);
  return request;
}

/**
 * Passes complete packets with the expected number. With TLS, the login's packets are numbered one higher than the
 * driver expects, since the TLS request used a number.
 */
export class Packets implements Screen {
  readonly #waiting = new GrowingBuffer();
  #ahead: 0 | 1;
  #turn = 0;
  /** Until the first command. With TLS the server has been verified, and may get the password. */
  #logIn: LogIn | undefined;

  constructor(options: { readonly tls: boolean }) {
    this.#ahead = options.tls ? 1 : 0;
    this.#logIn = options.tls ? undefined : new LogIn();
  }

  /** @returns the driver's packet with the number that the server expects */
  send(packet: Buffer): Buffer {
    const number = packet[3]!;
    // The numbering restarts with every command.
    if (number === 0) {
      this.#ahead = 0;
      this.#logIn = undefined;
    }
    const sent = Buffer.from(packet);
    sent[3] = number + this.#ahead;
    this.#turn = sent[3] + 1;
    return sent;
  }

  receive(bytes: Buffer): Buffer {
    this.#waiting.append(bytes);
    const all = this.#waiting.bytes;
    let end = 0;
    while (all.length >= end + headerLength) {
      const length = all.readUIntLE(end, 3);
      if (length === 0 || length > maxLength) throw new ConnectionFailed('protocol_invalid');
      const next = end + headerLength + length;
      if (all.length < next) break;
      const isCutError = all[end + headerLength] === errorMark && length < 3;
      if (all[end + 3] !== (this.#turn & 0xff) || isCutError) throw new ConnectionFailed('protocol_invalid');
      this.#logIn?.follow(all.subarray(end + headerLength, next));
      all[end + 3] = this.#turn - this.#ahead;
      this.#turn += 1;
      end = next;
    }
    return this.#waiting.take(end);
  }
}
