/** How a sandbox process came to its end before its task did. */
export type DeathCause = 'crashed' | 'out_of_memory' | 'took_too_long';

/** The process that worked on the task has died, or was killed at a limit. */
export class SandboxDied extends Error {
  override readonly name = 'SandboxDied';
  readonly deathCause: DeathCause;

  constructor(deathCause: DeathCause) {
    super(`the sandbox process ended: ${deathCause}`);
    this.deathCause = deathCause;
  }
}
