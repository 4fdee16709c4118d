import { parentPort, workerData } from 'node:worker_threads';

// Performs given actions, for the tests of threads.

const actions = {
  answer: () => parentPort.postMessage({ environment: { ...process.env } }),
  throw: () => {
    throw new RangeError('thrown');
  },
  'compute forever': () => {
    for (;;);
  },
  'fill the heap': () => {
    const all = [];
    for (;;) all.push(new Array(1_000).fill(all.length));
  },
  end: () => {},
};
actions[workerData]();
