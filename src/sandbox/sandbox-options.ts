import type { TaskLimits } from './limits.ts';
import type { SpawnerProgram } from './spawner.ts';
import type { ReachSettings } from './tasks.ts';

export interface SandboxOptions {
  readonly settings: ReachSettings;
  /** Maximum number of processes. */
  readonly processes: number;
  /** Maximum number of tasks that a process runs together, if they allow it. Default 1. */
  readonly tasksPerProcess?: number;
  /** Memory of all processes together, in bytes. Beyond it, processes end, and their tasks run again. Default: not limited. */
  readonly memoryBytes?: number;
  /**
   * Maximum number of concurrent tasks per organization: its targets may be slow, and others wait for the same
   * processes.
   */
  readonly perOrganization?: number;
  /** Processes reserved for organizations without a running task. Default 0. */
  readonly reserved?: number;
  /** How long a process without a task is kept, in milliseconds. */
  readonly idleMs?: number;
  /** How long a task waits for a process that it can reuse, in milliseconds. */
  readonly reuseWithinMs?: number;
  /** No person waits for its tasks: they run at a low priority. */
  readonly isBackground?: boolean;
  readonly log: (event: string, fields: object) => void;
  /** Path of a different program, for tests. */
  readonly program?: string;
  /** A different spawner, with its own program. */
  readonly spawner?: SpawnerProgram;
}

export interface TaskOptions {
  readonly organizationId: string;
  readonly limits: TaskLimits;
  /** Kills the process when aborted. */
  readonly signal?: AbortSignal;
  /**
   * Whether it may run together with other tasks of its organization. If their process dies, the task runs again in a process that runs
   * nothing else, which shows whether it is the reason.
   */
  readonly canShare?: boolean;
}
