import type { Session } from '../../src/contract/dashboard/session.ts';
import { basePath } from '../paths.ts';
import { isAttended } from './activity.ts';
import { ApiError } from './api-error.ts';
import { once } from './once.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RequestOptions {
  readonly body?: unknown;
  /** A file to upload as it is, in place of a JSON body. */
  readonly file?: File;
  readonly signal?: AbortSignal;
}

interface KeyedOptions extends RequestOptions {
  /** Makes the service do once what it is asked for twice. */
  readonly key?: string;
}

/** Of the session, as this page knows it. */
let known: Pick<Session, 'csrf_token' | 'person'> = { csrf_token: null, person: null };
/** Asks the person for a second factor; resolves to whether they gave one. */
let askForStepUp: () => Promise<boolean> = async () => false;
let asking: Promise<boolean> | undefined;

/** Who is here, and the token that shows that requests are this page's. */
export function knowSession(session: Session): void {
  known = session;
}

/** Called by whoever shows the step-up dialog. Returns what takes it back. */
export function onStepUpRequired(ask: () => Promise<boolean>): () => void {
  askForStepUp = ask;
  return () => {
    askForStepUp = async () => false;
  };
}

/**
 * One request to the dashboard's own backend; `path` is below `/dashboard/api`. Resolves to the answer's JSON. Where
 * the service asks for a fresh second factor, the person is asked, and the request goes out again; likewise where the
 * same person has signed in anew in another tab. Throws an `ApiError`, or an `AbortError` where the signal ended it.
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
    if (!(error instanceof ApiError) || !(await mends(error))) throw error;
    return send(method, path, options);
  }
}

/** Files are told apart by when they were changed last: another version may be as long. */
function contentOf({ body, file }: RequestOptions): string {
  return file ? `${file.size} ${file.lastModified}` : (JSON.stringify(body) ?? '');
}

/** Whether what was missing is there now. */
async function mends({ code, status }: ApiError): Promise<boolean> {
  if (code === 'step_up_required') {
    // Several requests may be refused at once: the person is asked once.
    asking ??= askForStepUp().finally(() => {
      asking = undefined;
    });
    return asking;
  }
  // Also where the session went on under a new token while this request was on its way.
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
  // Pages refresh by themselves: what nobody asked for must not keep the session alive.
  if (!isAttended()) headers['x-automatic'] = '1';
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

/** The address of a path below `/dashboard/api`: for downloads that the browser does itself. */
export function apiUrl(path: string): string {
  return `${basePath}api${path}`;
}
