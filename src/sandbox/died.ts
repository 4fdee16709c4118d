import type { DeathCause } from '../contract/causes.ts';

/** The process that worked on the task crashed, or was killed at a limit. */
export class SandboxDied extends Error {
  override readonly name = 'SandboxDied';
  readonly deathCause: DeathCause;

  constructor(deathCause: DeathCause) {
    super(`the sandbox process ended: ${deathCause}`);
    this.deathCause = deathCause;
  }
}
