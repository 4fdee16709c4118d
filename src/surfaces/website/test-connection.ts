import type { HttpResponse } from '../../captures/website.ts';

import { errorCodeOf, type WebsiteErrorCode } from './failure.ts';
import { explained } from './handshake-obstacle.ts';
import { requestFor } from './navigate.ts';
import { openSession, type WebsiteOptions } from './session.ts';
import { startUrl } from './target.ts';

export type WebsiteTestResult =
  | { readonly ok: true; readonly latencyMs: number }
  | { readonly ok: false; readonly errorCode: WebsiteErrorCode; readonly latencyMs: number };

const readBytes = 16 * 1024;

/**
 * Tests whether a website answers and accepts the credential. It sends one request, or two without HTTPS.
 *
 * Without a credential, an untrusted certificate is not a failure: the scan will report it. With one it is
 * `tls_untrusted`, since the credential is not sent to an unverified server.
 *
 * @throws the signal's reason if the caller aborted; every other failure is in the result
 */
export async function testWebsite(host: string, options: WebsiteOptions): Promise<WebsiteTestResult> {
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  try {
    const response = await askOnce(host, options);
    const errorCode = failureOf(response, options.credential !== undefined);
    if (errorCode === null) return { ok: true, latencyMs: latency() };
    return { ok: false, errorCode, latencyMs: latency() };
  } catch (error) {
    options.signal.throwIfAborted();
    return { ok: false, errorCode: errorCodeOf(error), latencyMs: latency() };
  }
}

async function askOnce(host: string, options: WebsiteOptions): Promise<HttpResponse | 'https_required'> {
  const { target, budget, client, credential } = openSession(host, options);
  const get = (url: URL) =>
    client.request(url, {
      depth: 'safe',
      ...requestFor(url, credential),
      readLimit: readBytes,
      keepLimit: 0,
      encoding: 'latin1',
    });
  try {
    const https = target.explicitHttp ? null : startUrl(target, 'https');
    const http = startUrl(target, 'http');
    if (https === null && http !== null) return await get(http);
    try {
      return await get(https!);
    } catch (error) {
      const code = errorCodeOf(error);
      const mayHaveOnlyHttp =
        code === 'connection_refused' || code === 'connection_failed' || code === 'tls_failed';
      // If plain HTTP does not answer either, the error of HTTPS is the better explanation.
      const refused = async (): Promise<never> => {
        const { hostname, https_port } = target.site;
        throw await explained(error, await client.pin(hostname), https_port!, budget);
      };
      if (http === null || !mayHaveOnlyHttp) return await refused();
      const response = await get(http).catch(refused);
      return credential === null ? response : 'https_required';
    }
  } finally {
    await client.close();
  }
}

function failureOf(
  response: HttpResponse | 'https_required',
  hasCredential: boolean,
): WebsiteErrorCode | null {
  if (response === 'https_required') return 'https_required';
  if (hasCredential && (response.status === 401 || response.status === 403)) return 'auth_failed';
  return response.status >= 500 ? 'http_error' : null;
}
