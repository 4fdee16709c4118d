import { randomBytes } from 'node:crypto';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { urlAt } from '../../captures/url-at.ts';
import type { MethodFacts, TraceAnswer } from '../../captures/website.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';

const readBytes = 64 * 1024;
const asked = { depth: 'full', readLimit: readBytes, encoding: 'latin1' } as const;

/**
 * Requests the methods that the server lists for a URL, and whether TRACE echoes the request. Without the credential,
 * which an echo would contain. Methods that could change something are never tried.
 */
export async function askMethods(client: HttpClient, page: URL): Promise<MethodFacts> {
  const url = urlAt(page.origin, page.pathname);
  const options = await assess(client.request(url, { ...asked, method: 'OPTIONS', keepLimit: 0 }));
  return { url: url.href, options, trace: await trace(client, url) };
}

async function trace(client: HttpClient, url: URL): Promise<Assessment<TraceAnswer>> {
  const marker = randomBytes(12).toString('hex');
  const answer = await assess(
    client.request(url, {
      ...asked,
      method: 'TRACE',
      headers: { 'x-parapet-echo': marker },
      keepLimit: readBytes,
    }),
  );
  if (!answer.assessed) return answer;
  const { status, body, body_unread } = answer.value;
  if (body_unread !== null) return notAssessed(body_unread);
  return { assessed: true, value: { status, echoes: body.includes(marker) } };
}
