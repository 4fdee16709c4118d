import type { ErrorBody } from '../contract/errors.ts';
import type { Answer, Client, SendOptions } from './client.ts';
import { ClientError } from './client-error.ts';
import { hintsFor401, requestIdLine } from './refusal-hints.ts';

/** The service answered with an error. The message includes the answer, and possible causes of a 401. */
export class RefusedError extends ClientError {
  readonly status: number;
  constructor(answer: Answer, token: string) {
    super(
      [
        `${answer.request.method} ${answer.request.target}: ${describe(answer)}`,
        ...requestIdLine(answer),
        ...(answer.status === 401 ? hintsFor401(answer, token) : []),
      ].join('\n'),
    );
    this.status = answer.status;
  }
}

/**
 * Sends a request and returns the JSON of the answer.
 *
 * @throws RefusedError for any status except 2xx
 */
export async function requestJson<T>(
  client: Client,
  method: string,
  target: string,
  options?: Omit<SendOptions, 'body'> & { readonly body?: object },
): Promise<T> {
  const { body, ...rest } = options ?? {};
  const answer = await client.send(method, target, {
    ...rest,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status < 200 || answer.status > 299) throw new RefusedError(answer, client.settings.token);
  return jsonOf<T>(answer);
}

/** @throws ClientError if the answer is not JSON, for example an error page of a proxy */
export function jsonOf<T>(answer: Answer): T {
  try {
    return JSON.parse(answer.bytes.toString('utf8')) as T;
  } catch {
    throw new ClientError(`${answer.request.url} did not answer with JSON. Check PARAPET_URL`);
  }
}

function describe(answer: Answer): string {
  const status = `${answer.status} ${answer.statusText}`.trim();
  let body: ErrorBody | null;
  try {
    body = JSON.parse(answer.bytes.toString('utf8')) as ErrorBody | null;
  } catch {
    return status;
  }
  // The JSON may come from a proxy, in another format.
  const fields = (Array.isArray(body?.fields) ? body.fields : []).map(
    ({ path, message }) => `${path || 'body'} ${message}`,
  );
  return [status, body?.error, body?.error_code, ...fields].filter(Boolean).join(', ');
}
