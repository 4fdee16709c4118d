import type { LineBounds } from './json-meter.ts';

const megabyte = 1024 * 1024;

/** What one task may take. A process that takes more is killed. */
export interface TaskLimits {
  /** CPU time of the whole process, in milliseconds. */
  readonly cpuMs: number;
  /** Time from the task's start to its result, in milliseconds. */
  readonly wallMs: number;
}

/**
 * A safe scan of a website has 20 seconds and uses about 30 ms of CPU, a full one 5 minutes; databases have 30 seconds, a
 * Supabase project 60. What is above that is room for a busy machine.
 */
export const taskLimits = {
  safe: { cpuMs: 15_000, wallMs: 90_000 },
  full: { cpuMs: 60_000, wallMs: 400_000 },
  connection: { cpuMs: 5_000, wallMs: 25_000 },
} as const satisfies Record<string, TaskLimits>;

/** V8's heap, in megabytes. The largest scans that were measured, safe and full, had a resident memory of 160 in all. */
export const heapMegabytes = 192;

/** Resident memory at which a process is killed: the heap, the program itself, and buffers. */
export const residentBytes = 320 * megabyte;

/**
 * The kernel's limit on the data of the process (RLIMIT_DATA), in kilobytes, beyond what Node has of it at its start. It holds
 * between two readings of the resident memory, and counts 100 MB of stacks that are reserved and never used.
 */
export const dataKilobytes = 432 * 1024;

/**
 * CPU seconds of a process, over all its tasks, at which the kernel kills it (RLIMIT_CPU): nobody else would stop one that
 * computes on after the service has died. A second before, it sends SIGXCPU, which tells why the process ended.
 */
export const lifetimeCpuSeconds = 240;

/**
 * Open files, sockets nearly all of them (RLIMIT_NOFILE): a hundred more than Node itself has open. They take memory of the kernel
 * that is not the process's, and connections of whatever it connects to: the service may be one of that.
 */
export const openFiles = 128;

/**
 * The nice value of background work as a whole: a tenth of what others on a busy machine get. With less, looks would end at their
 * limits of time without a fault of the target's.
 */
export const backgroundNice = 10;

/** CPU milliseconds after which a process gets no further task, so that the largest task fits within its lifetime. */
export const retireAfterCpuMs = 120_000;

/** How often a running task is held against its limits. */
export const watchEveryMs = 200;

/** A process that has had no task for this long ends. */
export const idleMs = 10_000;

/** CPU milliseconds that a process without a task may use, to collect garbage. What uses more was taken over. */
export const idleCpuMs = 1_000;

/**
 * How long a task waits for a process of its organization that ends another: a new one costs as much CPU time, until its code
 * is compiled, as thirty looks at a website. Where targets answer slowly, that is a small part of the time that they take.
 */
export const reuseWithinMs = 1_000;

/**
 * The largest result, as JSON: reading it must not keep the event loop of the service busy. It has room for all that
 * `scan/report-bounds.ts` allows: 2,500 observations with at most four fields, and 5,000 places.
 */
export const resultBounds: LineBounds = { bytes: 2 * megabyte, values: 25_000, depth: 12 };

/** A task waits this long for a process before it is refused. */
export const queueMs = 30_000;
