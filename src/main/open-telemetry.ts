import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Span, Tracer } from '../domain/tracing.ts';
import { version } from '../domain/version.ts';

/** Characters of an error of the collector, which can be long. */
const mostMessage = 500;

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };

/** Sends spans to the collector of the `OTEL_` variables, which the packages read themselves. */
export function openTelemetry(log: (event: string, fields: object) => void): {
  tracer: Tracer;
  close(): Promise<void>;
} {
  const report = (message: string) =>
    log('tracing.failed', { reason: String(message).slice(0, mostMessage) });
  const ignore = () => {};
  diag.setLogger(
    { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.ERROR,
  );
  const own = resourceFromAttributes({ 'service.name': 'parapet', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('parapet', version);
  return {
    tracer: {
      start: (name, { kind, parent, attributes = {}, startedAt }) => {
        const span = tracer.startSpan(
          name,
          {
            kind: kind ? kinds[kind] : SpanKind.INTERNAL,
            attributes,
            ...(startedAt === undefined ? {} : { startTime: startedAt }),
          },
          contextOf(parent),
        );
        return {
          traceparent: textOf(span.spanContext()),
          end: (more = {}, problem) => {
            span.setAttributes(more);
            if (problem !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: problem });
            span.end();
          },
        } satisfies Span;
      },
    },
    close: () => provider.shutdown(),
  };
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function contextOf(parent: string | undefined): Context {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(parent ?? '') ?? [];
  if (!traceId || !spanId) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags!, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
