import { EventEmitter } from 'node:events';
import type net from 'node:net';
import { Duplex } from 'node:stream';
import type { HttpResponse } from '../../src/captures/website.ts';
import type { HttpClient } from '../../src/surfaces/website/http-client.ts';

/** A client that gives one answer to everything. Nothing is sent. */
export function clientAnswering(answer: HttpResponse): HttpClient {
  const request = async (url: URL) => ({ ...answer, url: url.href });
  return { request, reserveRequests: () => {} } as unknown as HttpClient;
}

/** A socket as `readAnswer` uses it; `speak` makes it receive bytes one at a time. */
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

/** A socket that receives bytes one at a time, whatever is written to it. */
export function speakingSocket(bytes: Buffer): net.Socket {
  let at = 0;
  return new Duplex({
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, ++at) : null);
    },
    write: (_, __, done) => done(),
  }) as net.Socket;
}

/** A body that comes one byte at a time. */
export function bodyInPieces(bytes: Buffer): AsyncIterable<Buffer> & { destroy(): void } {
  return {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
    },
    destroy() {},
  };
}
