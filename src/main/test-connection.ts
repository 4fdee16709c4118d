import type { ApiServices } from '../api/api.ts';
import type { ConnectionTest } from '../contract/sources.ts';
import { isPrivileged } from '../domain/source-states.ts';
import { type InspectionOptions, websiteOptions } from '../scan/inspect.ts';
import { testWebsite } from '../surfaces/website/test-connection.ts';

interface TestOptions extends Omit<InspectionOptions, 'signal'> {
  readonly privilegedConnections: boolean;
}

/** Seconds that a connection test may take altogether. */
const timeoutSeconds = 15;

/** Tests a source's connection with the surface of its kind. What the target does wrong is in the result. */
export function connectionTester(options: TestOptions): ApiServices['testConnection'] {
  return async (source, credential) => {
    const failed = (error_code: string): ConnectionTest => ({
      ok: false,
      checked_at: now(),
      latency_ms: 0,
      error_code,
    });
    if (source.connection_mode === 'probe') return failed('assessed_by_probe');
    if (isPrivileged(source.kind)) {
      return failed(options.privilegedConnections ? 'not_supported' : 'privileged_connections_disabled');
    }
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      const result = await testWebsite(
        source.host,
        websiteOptions({ ...source, credential }, { ...options, signal }),
      );
      const { ok, latencyMs: latency_ms } = result;
      return { ok, checked_at: now(), latency_ms, ...(result.ok ? {} : { error_code: result.errorCode }) };
    } catch (error) {
      if (signal.aborted) return failed('timeout');
      throw error;
    }
  };
}

function now(): string {
  return new Date().toISOString().replace('Z', '+00:00');
}
