import type { ApiServices } from '../api/services.ts';
import type { ConnectionTest } from '../contract/sources.ts';
import { isPrivileged } from '../domain/source-states.ts';
import { type CollectionOptions, websiteOptions } from '../scan/collect-evidence.ts';
import type { OpenableSource } from '../scan/source.ts';
import { testMysql } from '../surfaces/mysql/test-connection.ts';
import { testPostgres } from '../surfaces/postgres/test-connection.ts';
import { testSupabase } from '../surfaces/supabase/test-connection.ts';
import { testWebsite } from '../surfaces/website/test-connection.ts';

interface TestOptions extends Omit<CollectionOptions, 'signal'> {
  readonly privilegedConnections: boolean;
}

type Outcome =
  | { readonly ok: true; readonly latencyMs: number }
  | { readonly ok: false; readonly errorCode: string; readonly latencyMs: number };

/** Seconds that a connection test may take altogether. */
const timeoutSeconds = 15;

/** Tests a source's connection with the surface of its kind. What the target does wrong is in the result. */
export function connectionTester(options: TestOptions): ApiServices['testConnection'] {
  return async (source, credential) => {
    const outcome = await withinTime(source, credential, options);
    return {
      ok: outcome.ok,
      checked_at: new Date().toISOString().replace('Z', '+00:00'),
      latency_ms: outcome.latencyMs,
      ...(outcome.ok ? {} : { error_code: outcome.errorCode }),
    } satisfies ConnectionTest;
  };
}

async function withinTime(
  source: Parameters<ApiServices['testConnection']>[0],
  credential: OpenableSource['credential'],
  options: TestOptions,
): Promise<Outcome> {
  if (source.connection_mode === 'probe') return failed('assessed_by_probe');
  if (isPrivileged(source.kind)) {
    if (!options.privilegedConnections) return failed('privileged_connections_disabled');
    if (credential === undefined) return failed('credential_missing');
  }
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    return await testByKind({ ...source, credential }, { ...options, signal });
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    throw error;
  }
}

function testByKind(source: OpenableSource, options: CollectionOptions): Promise<Outcome> | Outcome {
  const { kind, host, credential } = source;
  if (kind === 'website') return testWebsite(host, websiteOptions(source, options));
  if (kind === 'postgres' && credential?.type === 'dsn')
    return testPostgres(host, { ...options, credential });
  if (kind === 'mysql' && credential?.type === 'dsn') return testMysql(host, { ...options, credential });
  if (kind === 'supabase' && credential?.type === 'service_role') {
    return testSupabase(host, { ...options, credential });
  }
  return failed('invalid_credential');
}

function failed(errorCode: string): Outcome {
  return { ok: false, errorCode, latencyMs: 0 };
}
