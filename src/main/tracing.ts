import type { Tracer } from '../domain/tracing.ts';

interface Tracing {
  readonly tracer: Tracer | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Loads OpenTelemetry if the environment names a collector: without one, it takes neither memory nor time. */
export async function startTracing(
  env: NodeJS.ProcessEnv,
  log: (event: string, fields: object) => void,
): Promise<Tracing> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (!endpoint || isOff) return { tracer: undefined, close: async () => {} };
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(log);
}
