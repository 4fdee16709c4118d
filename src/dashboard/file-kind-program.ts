import { parentPort, workerData } from 'node:worker_threads';
import { mediaTypeOf } from '../domain/file-kinds.ts';
import { yieldThread } from '../http/yield-thread.ts';

// A thread that looks at all of a file, which for 10 MB of JSON takes seconds.

yieldThread();
const { name, bytes } = workerData as { name: string; bytes: Uint8Array };
parentPort!.postMessage(mediaTypeOf(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
