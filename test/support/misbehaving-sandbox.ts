import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Credential } from '../../src/contract/sources.ts';
import type { TaskLimits } from '../../src/sandbox/limits.ts';
import { loopbackSandbox, sandboxesOf, spawnersOf } from './sandbox.ts';

// The sandbox with a program that performs given scenarios, as if a target had compromised it.

export const program = fileURLToPath(new URL('./sandbox-programs/misbehaving.cjs', import.meta.url));

export const limits = { cpuMs: 1_000, wallMs: 20_000 };

export const [organization, other] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
];

export const credential: Credential = { type: 'basic', username: 'u', password: 'p' };

/** A sandbox that is closed when the test ends. */
export function open(
  options: Parameters<typeof loopbackSandbox>[0] = {},
): ReturnType<typeof loopbackSandbox> {
  const sandbox = loopbackSandbox({ program, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

interface ActOptions {
  readonly organizationId?: string;
  readonly credential?: Credential;
  readonly limits?: TaskLimits;
  readonly signal?: AbortSignal;
  readonly canShare?: boolean;
}

/** Has a process perform a scenario of its program. */
export function act(
  sandbox: ReturnType<typeof loopbackSandbox>,
  host: string,
  { organizationId = organization, credential, ...more }: ActOptions = {},
) {
  const source = { id: organization, kind: 'website', host, connection_mode: 'direct', credential } as const;
  return sandbox.run('test_connection', { source }, { organizationId, limits, ...more });
}

/** The pids of this process's sandbox processes. */
export const running = () => sandboxesOf(process.pid);

/** The pids of this process's spawners. */
export const spawners = () => spawnersOf(process.pid);
