import { EventEmitter } from 'node:events';
import type net from 'node:net';
import { Duplex } from 'node:stream';
import type { HttpResponse } from '../../src/captures/website.ts';
import type { HttpClient } from '../../src/surfaces/website/http-client.ts';

/** A client that returns the same response to every request, without a network. */
export function clientAnswering(answer: HttpResponse): HttpClient {
  const request = async (url: URL) => ({ ...answer, url: url.href });
  return { request, reserveRequests: () => {} } as unknown as HttpClient;
}

/** A socket for `readAnswer`; `speak` makes it receive bytes one at a time. */
export function silentSocket(): net.Socket & { speak(bytes: Buffer): void } {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    pause: () => socket,
    resume: () => socket,
    end: () => socket,
    destroy: () => socket,
    speak(bytes: Buffer) {
      for (let at = 0; at < bytes.length; at++) socket.emit('data', bytes.subarray(at, at + 1));
    },
  });
  return socket as unknown as net.Socket & { speak(bytes: Buffer): void };
}

/** A socket that receives these bytes one at a time, independently of what is written. */
export function speakingSocket(bytes: Buffer): net.Socket {
  let at = 0;
  return new Duplex({
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, ++at) : null);
    },
    write: (_, __, done) => done(),
  }) as net.Socket;
}

/** A body that arrives one byte at a time. */
export function bodyInPieces(bytes: Buffer): AsyncIterable<Buffer> & { destroy(): void } {
  return {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
    },
    destroy() {},
  };
}
