import { ConnectionFailed } from '../connection/connection-failed.ts';
import {
  type ConnectionTestOptions,
  type ConnectionTestResult,
  measured,
} from '../connection/connection-test.ts';
import { connectionErrorCode } from '../connection/failure.ts';
import { Budget } from '../website/budget.ts';
import { HttpClient } from '../website/http-client.ts';
import { keyHeaders } from './keys.ts';
import { originFor } from './origin.ts';

const readBytes = 64 * 1024;

interface SupabaseTestOptions extends ConnectionTestOptions<'service_role'> {
  readonly userAgent: string;
}

/**
 * Tests whether a Supabase project's API answers at the source's host and accepts the key. It sends one request,
 * without redirects: the key goes only to the project's own origin, over HTTPS with a trusted certificate.
 *
 * @param host the source's, as stored
 * @throws the signal's reason if the caller aborted; every other failure is in the result
 */
export function testSupabase(host: string, options: SupabaseTestOptions): Promise<ConnectionTestResult> {
  return measured(options, connectionErrorCode, async signal => {
    const { key } = options.credential;
    const url = new URL('/rest/v1/', originFor(host, options.credential));
    const client = new HttpClient({
      guard: options.guard,
      // The signal has the time limit.
      budget: new Budget(signal, { requests: 1, bytes: readBytes, totalMs: 60_000, requestMs: 60_000 }),
      userAgent: options.userAgent,
      trustedRoots: options.trustedRoots ?? [],
      redact: text => text.replaceAll(key, '[credential]'),
    });
    try {
      const { status, headers } = await client.request(url, {
        depth: 'safe',
        headers: { ...keyHeaders(key), accept: 'application/openapi+json' },
        requireTrusted: true,
        readLimit: readBytes,
        keepLimit: 0,
        encoding: 'latin1',
      });
      if (status === 401 || status === 403) throw new ConnectionFailed('auth_failed');
      if (status === 429 || status >= 500) throw new ConnectionFailed('http_error');
      const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
      // Many websites answer every request with 200, but not with JSON.
      if (status !== 200 || !/^application\/(openapi\+)?json\b/i.test(type)) {
        throw new ConnectionFailed('protocol_invalid');
      }
    } finally {
      await client.close();
    }
  });
}
