import type { DeathCause } from '../contract/causes.ts';

/** The process that worked on the task crashed, or was killed at a limit. */
export class SandboxDied extends Error {
  override readonly name = 'SandboxDied';
  readonly deathCause: DeathCause;
  /** Whether it shared its process, or the memory, with other tasks: any of them may be the reason. */
  readonly isShared: boolean;

  constructor(deathCause: DeathCause, isShared = false) {
    super(`the sandbox process ended: ${deathCause}`);
    this.deathCause = deathCause;
    this.isShared = isShared;
  }
}
