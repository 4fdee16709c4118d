import { parentPort, workerData } from 'node:worker_threads';
import { mediaTypeOf } from '../formats/file-kinds.ts';
import { yieldThread } from '../http/yield-thread.ts';

// Entry point of the thread that checks file content: 10 MB of JSON take seconds.

yieldThread();
const { name, bytes } = workerData as { name: string; bytes: Uint8Array };
const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
parentPort!.postMessage(await mediaTypeOf(name, file));
