import type { ApiServices } from '../api/services.ts';
import type { TestError } from '../contract/causes.ts';
import type { ConnectionTest } from '../contract/sources.ts';
import { whyNotScannable } from '../domain/scannable.ts';
import { isPrivileged } from '../domain/source-states.ts';
import { timestampOf } from '../domain/timestamp.ts';
import { SandboxDied } from '../sandbox/died.ts';
import { taskLimits } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ConnectionOutcome } from '../scan/test-connection.ts';

type Outcome = ConnectionOutcome | ReturnType<typeof failed>;

interface TesterOptions {
  readonly sandbox: Pick<Sandbox, 'run'>;
  readonly privilegedConnections: boolean;
}

/** Tests the connection to a source in the sandbox. Failures of the target are results, never exceptions. */
export function connectionTester(options: TesterOptions): ApiServices['testConnection'] {
  return async (source, credential, { organizationId, signal }) => {
    const outcome =
      refusal(source, credential, options) ??
      (await tested({ ...source, credential }, { organizationId, signal }, options));
    return {
      ok: outcome.ok,
      checked_at: timestampOf(new Date()),
      latency_ms: outcome.latencyMs,
      ...(outcome.ok ? {} : { error_code: outcome.errorCode }),
    } satisfies ConnectionTest;
  };
}

type Tested = Parameters<ApiServices['testConnection']>;

/** Why the test cannot run, or undefined if it can. */
function refusal(source: Tested[0], credential: Tested[1], options: TesterOptions): Outcome | undefined {
  const reason = whyNotScannable(source, options);
  if (reason) return failed(reason === 'assessed_by_probe' ? 'no_probe_report' : reason);
  return isPrivileged(source.kind) && credential === undefined ? failed('credential_missing') : undefined;
}

async function tested(
  { id, kind, host, connection_mode, credential }: Tested[0] & { readonly credential: Tested[1] },
  task: Tested[2],
  { sandbox }: TesterOptions,
): Promise<Outcome> {
  const source = { id, kind, host, connection_mode, credential };
  try {
    return await sandbox.run('test_connection', { source }, { ...task, limits: taskLimits.connection });
  } catch (error) {
    if (error instanceof SandboxDied) return failed(error.deathCause);
    throw error;
  }
}

function failed(errorCode: TestError) {
  return { ok: false, errorCode, latencyMs: 0 } as const;
}
