import type { Session } from '../../src/contract/dashboard/session.ts';
import { basePath } from '../deployment.ts';
import { isActive } from './activity.ts';
import { ApiError } from './api-error.ts';
import { once } from './once.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RequestOptions {
  readonly body?: unknown;
  /** Uploaded as it is, in place of a JSON body. */
  readonly file?: File;
  readonly signal?: AbortSignal;
}

interface KeyedOptions extends RequestOptions {
  /** The idempotency key: a repeated request with it has no further effect. */
  readonly key?: string;
}

/** The session as this page knows it. */
let known: Pick<Session, 'csrf_token' | 'person'> = { csrf_token: null, person: null };
/** Asks the person to confirm their identity; resolves to whether they did. */
let askForStepUp: () => Promise<boolean> = async () => false;
let asking: Promise<boolean> | undefined;

/** Remembers the person and the CSRF token of the session. */
export function knowSession(session: Session): void {
  known = session;
}

/** Registers what shows the step-up dialog. Returns a function that removes it. */
export function onStepUpRequired(ask: () => Promise<boolean>): () => void {
  askForStepUp = ask;
  return () => {
    askForStepUp = async () => false;
  };
}

/**
 * Sends a request to the dashboard's backend and resolves to the JSON of its response. If the service requires a step-up, the
 * person is asked and the request is sent again; likewise if the same person has signed in again in another tab. Throws an
 * `ApiError`, or an `AbortError` if the signal aborted it.
 *
 * @param path below `/dashboard/api`
 */
export async function request<Answer>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  if (method === 'GET') return attempt(method, path, options);
  return once({ method, path }, contentOf(options), key => attempt(method, path, { ...options, key }));
}

async function attempt<Answer>(method: Method, path: string, options: KeyedOptions): Promise<Answer> {
  try {
    return await send(method, path, options);
  } catch (error) {
    if (!(error instanceof ApiError) || !(await canRetry(error))) throw error;
    return send(method, path, options);
  }
}

/** Files are identified by their size and modification time, since two versions may be equally long. */
function contentOf({ body, file }: RequestOptions): string {
  return file ? `${file.size} ${file.lastModified}` : (JSON.stringify(body) ?? '');
}

/** Whether the request can succeed now, after a step-up or with the session of another tab. */
async function canRetry({ code, status }: ApiError): Promise<boolean> {
  if (code === 'step_up_required') {
    // Several requests may be refused at once, but the person is asked only once.
    asking ??= askForStepUp().finally(() => {
      asking = undefined;
    });
    return asking;
  }
  // The session may have received a new token while this request was in flight.
  const signedOut = status === 401 && code === undefined && known.person !== null;
  if (code !== 'cross_site_request' && !signedOut) return false;
  const session = await send<Session>('GET', '/session', {});
  if (!session.person || session.person.id !== known.person?.id) return false;
  knowSession(session);
  return true;
}

async function send<Answer>(method: Method, path: string, options: KeyedOptions): Promise<Answer> {
  const { body, file, signal, key } = options;
  const headers: Record<string, string> = { accept: 'application/json' };
  // Pages refresh automatically, which must not keep the session alive.
  if (!isActive()) headers['x-automatic'] = '1';
  if (method !== 'GET' && known.csrf_token) headers['x-csrf-token'] = known.csrf_token;
  if (key) headers['idempotency-key'] = key;
  if (file) headers['content-type'] = file.type || 'application/octet-stream';
  else if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(apiUrl(path), {
      method,
      headers,
      credentials: 'same-origin',
      ...(file ? { body: file } : body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, {});
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new ApiError(response.status, answer, response.headers.get('x-request-id') ?? undefined);
  }
  return answer as Answer;
}

/** The URL of a path below `/dashboard/api`, for downloads by the browser. */
export function apiUrl(path: string): string {
  return `${basePath}api${path}`;
}
