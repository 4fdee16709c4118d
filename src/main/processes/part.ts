/** What one of several processes runs. */
export interface Part {
  readonly role: 'api' | 'worker';
  /** API processes that share the port. */
  readonly processes: number;
}

const variable = 'PARAPET_PART';

/** The environment that makes a process run the part. */
export function environmentOf({ role, processes }: Part): Record<string, string> {
  return { [variable]: `${role} ${processes}` };
}

/** The part that the supervisor gave this process; undefined in a process that an operator started. */
export function partOf(env: NodeJS.ProcessEnv): Part | undefined {
  const [role, processes] = env[variable]?.split(' ') ?? [];
  return role === 'api' || role === 'worker' ? { role, processes: Number(processes) } : undefined;
}
