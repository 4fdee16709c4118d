import { generate } from 'otplib';
import type { Session } from '../../src/contract/dashboard/session.ts';
import { type ReceivedAnswer, sendRequest } from './send-request.ts';

export interface Answer extends ReceivedAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly json: any;
}

/** Differences from a browser's request. Null removes a header. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

/** The headers of a file upload from a signed-in page. */
export function uploadHeaders({ cookie, url, csrf }: DashboardClient): Record<string, string> {
  return {
    cookie: cookie!,
    origin: url,
    'x-csrf-token': csrf!,
    'content-type': 'application/octet-stream',
  };
}

/** Sends requests to the dashboard's routes like a browser's page: with its cookie, its token and its origin. */
export class DashboardClient {
  readonly url: string;
  /** The session cookie. */
  cookie: string | undefined;
  /** Other cookies that the service has set, by name. */
  readonly otherCookies = new Map<string, string>();
  csrf: string | undefined;

  constructor(url: string, from: { cookie?: string | undefined; csrf?: string | undefined } = {}) {
    this.url = url;
    this.cookie = from.cookie;
    this.csrf = from.csrf;
  }

  async request(method: string, path: string, body?: unknown, changes: HeaderChanges = {}): Promise<Answer> {
    const changing = method !== 'GET' && method !== 'HEAD';
    const headers = new Headers({
      ...(changing ? { origin: this.url, 'sec-fetch-site': 'same-origin' } : {}),
      ...(changing && this.csrf ? { 'x-csrf-token': this.csrf } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    const others = [...this.otherCookies].map(([name, value]) => `${name}=${value}`);
    const cookies = [...(this.cookie ? [this.cookie] : []), ...others].join('; ');
    if (cookies) headers.set('cookie', cookies);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    const answer = await sendRequest(`${this.url}/dashboard/api${path}`, {
      method,
      headers: Object.fromEntries(headers),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const cookieLines = answer.headers.getSetCookie();
    for (const line of cookieLines) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.otherCookies.delete(name!);
      else if (!name!.includes('parapet_session')) this.otherCookies.set(name!, value!);
    }
    const set = cookieLines.find(line => line.includes('parapet_session'));
    if (set) this.cookie = set.split(';')[0];
    const json = answer.headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(answer.text)
      : undefined;
    if (json && typeof json === 'object' && 'csrf_token' in json) this.csrf = json.csrf_token ?? undefined;
    else if (set && answer.status < 300) await this.session();
    return { ...answer, json };
  }

  get(path: string, changes?: HeaderChanges): Promise<Answer> {
    return this.request('GET', path, undefined, changes);
  }

  post(path: string, body: unknown = {}, changes?: HeaderChanges): Promise<Answer> {
    return this.request('POST', path, body, changes);
  }

  delete(path: string, changes?: HeaderChanges): Promise<Answer> {
    return this.request('DELETE', path, undefined, changes);
  }

  async session(): Promise<Session> {
    return (await this.get('/session')).json;
  }

  /** The same browser at another node. */
  at(url: string): DashboardClient {
    const client = new DashboardClient(url, this);
    for (const [name, value] of this.otherCookies) client.otherCookies.set(name, value);
    return client;
  }
}

/**
 * The code that an authenticator app shows now, or some 30-second steps from now. Codes within one step either way are
 * accepted. One of the previous step is not, if the current step ends in the meantime.
 */
export async function totpCode(secret: string, steps = 0): Promise<string> {
  return generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
}
