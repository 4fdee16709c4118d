import type { LineBounds } from '../bytes/json-meter.ts';

const megabyte = 1024 * 1024;

/** What one task may use. A process that exceeds a limit is killed. */
export interface TaskLimits {
  /** CPU time of the whole process, in milliseconds. */
  readonly cpuMs: number;
  /** Time from the task's start to its result, in milliseconds. */
  readonly wallMs: number;
}

/**
 * A safe scan of a website may take 20 seconds and uses about 30 ms of CPU time, a full scan 5 minutes; databases have
 * 30 seconds, a Supabase project 60. The rest is a margin for busy machines.
 */
export const taskLimits = {
  safe: { cpuMs: 15_000, wallMs: 90_000 },
  full: { cpuMs: 60_000, wallMs: 400_000 },
  connection: { cpuMs: 5_000, wallMs: 25_000 },
} as const satisfies Record<string, TaskLimits>;

/** V8's heap, in megabytes. The largest measured scans, safe and full, had a resident memory of 160 MB in total. */
export const heapMegabytes = 192;

/** Resident memory at which a process is killed: the heap, the program itself, and buffers. */
export const residentBytes = 320 * megabyte;

/**
 * The kernel's limit on the data of the process (RLIMIT_DATA), in kilobytes, in addition to what Node uses at its
 * start. It applies between two readings of the resident memory, and includes 100 MB of reserved but unused stacks.
 */
export const dataKilobytes = 432 * 1024;

/**
 * CPU seconds of a process, over all its tasks, at which the kernel kills it (RLIMIT_CPU), in case it still computes
 * after the service has died. A second earlier the kernel sends SIGXCPU, which shows why the process ended.
 */
export const lifetimeCpuSeconds = 240;

/**
 * Open files, nearly all of them sockets (RLIMIT_NOFILE): a hundred more than Node itself opens. Sockets use kernel
 * memory, and connections of the target, which may be this service itself.
 */
export const openFiles = 128;

/**
 * The nice value of all background work: about a tenth of the CPU time of others on a busy machine. With less, scans
 * would time out although their targets are fast enough.
 */
export const backgroundNice = 10;

/** CPU milliseconds after which a process is given no more tasks, so that the largest task fits within its lifetime. */
export const retireAfterCpuMs = 120_000;

/** How often a running task is checked against its limits. */
export const watchEveryMs = 200;

/** How long a process without a task is kept. */
export const idleMs = 10_000;

/**
 * CPU milliseconds that a process without a task may use, to collect garbage. A process that uses more is treated as
 * compromised.
 */
export const idleCpuMs = 1_000;

/**
 * How long a task waits for another task's process of the same organization: until its code is compiled, a new process
 * uses as much CPU time as thirty scans of a website. Where targets answer slowly, this is a small part of the time
 * that they take.
 */
export const reuseWithinMs = 1_000;

/**
 * The largest result, as JSON: reading it must not block the event loop of the service. It covers everything that
 * `scan/report-bounds.ts` allows: 2,500 observations with at most four fields, and 5,000 places.
 */
export const resultBounds: LineBounds = { bytes: 2 * megabyte, values: 25_000, depth: 12 };

/** How long a task waits for a place before it is refused. The wait for a process is not limited. */
export const queueMs = 30_000;

/** What a process takes at its start, apart from what all of them share. Its tasks add what they read. */
export const ownBytesAtStart = 64 * megabyte;

/**
 * Tasks of one organization that a process runs together. Most of the time they wait for their targets: with one at a time, a far website
 * kept a whole process for seconds.
 */
export const tasksPerProcess = 16;

/** Milliseconds after which a process is given no further task while an organization without one waits. */
export const shareMs = 5_000;

/** Resident memory at which a process is given no further task until it is less. */
export const fullBytes = residentBytes / 2;
