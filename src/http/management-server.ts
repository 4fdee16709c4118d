import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { ErrorCode } from '../contract/errors.ts';
import { errorAnswer } from './answers.ts';
import { capConnections } from './connection-caps.ts';
import { createHttpServer } from './http-server.ts';
import { keptFor } from './kept-for.ts';
import type { MetricsText } from './metrics.ts';
import type { ReadinessStatus } from './readiness.ts';
import { shareTurns } from './share-turns.ts';
import { cutStalledAnswers } from './stalled-answers.ts';
import { defaultTransportLimits } from './transport-limits.ts';

export interface ManagementOptions {
  readonly metrics: MetricsText;
  readonly readiness: () => Promise<ReadinessStatus>;
  /** Host name or IP address to listen on. */
  readonly host: string;
}

/** Monitoring tools need few connections. */
const caps = { connections: 100, connectionsPerAddress: 50 };

/** Creates the server for metrics and health checks. It does not listen yet. */
export function createManagementServer(options: ManagementOptions): Server {
  const limits = defaultTransportLimits;
  const metricsText = keptFor(1_000, () => options.metrics.text());
  const listener: RequestListener = (request, response) => {
    answer(request, response, { ...options, metricsText }).catch(() => sendError(response, 'request_failed'));
  };
  const inTurns = shareTurns(listener);
  const byPeer: RequestListener = (request, response) => {
    // No proxy is trusted here: with forged addresses, a client could get many lines.
    delete request.headers['x-forwarded-for'];
    inTurns(request, response);
  };
  const server = createHttpServer(byPeer, limits, () => false);
  capConnections(server, caps, () => false);
  cutStalledAnswers(server, limits);
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, metricsText, readiness, host }: ManagementOptions & { metricsText: () => Promise<string> },
): Promise<void> {
  // Prevents DNS rebinding: a page in the operator's browser always sends its own name.
  if (!isOwnName(request.headers.host ?? '', host)) return sendError(response, 'forbidden');
  const path = request.method === 'GET' || request.method === 'HEAD' ? request.url?.split('?')[0] : undefined;
  if (path === '/metrics') return send(response, 200, metrics.contentType, await metricsText());
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path !== '/readyz') return sendError(response, 'not_found');
  const status = await readiness();
  sendJson(response, status === 'ready' ? 200 : 503, { status });
}

/** Accepts an IP address, `localhost`, or the configured host name. */
function isOwnName(header: string, configured: string): boolean {
  const name = header.replace(/:\d*$/, '').toLowerCase();
  return (
    name === 'localhost' || name === configured.toLowerCase() || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  );
}

function sendError(response: ServerResponse, code: ErrorCode): void {
  const { status, body } = errorAnswer(code);
  sendJson(response, status, body);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
