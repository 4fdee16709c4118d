import { type ClientKey, call, type SignedParts, send, signRequest } from '../support/signing-client.ts';

/** A signed request and its outcome, with the times on this machine's clock in milliseconds. */
interface SentRequest {
  readonly organization: string;
  readonly key: ClientKey;
  readonly parts: SignedParts;
  readonly sent: number;
  readonly received: number;
  /** 2xx, 401, or 500 during an outage: whether such a request was admitted is unknown. */
  readonly outcome: 'admitted' | 'refused' | 'unknown';
}

export interface Caller {
  readonly organization: string;
  readonly key: ClientKey;
}

/** All signed requests of the test, to either node. */
export class Requests {
  readonly all: SentRequest[] = [];
  /** Responses other than these outcomes, which no client should get. */
  readonly strange: string[] = [];
  readonly #urls: readonly string[];

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** The response, or undefined if there was an outage. */
  async send({ organization, key }: Caller, node: number, method: string, target: string, body?: object) {
    const parts = signRequest(key, method, target, body && JSON.stringify(body));
    const sent = Date.now();
    try {
      const answer = await send(this.#urls[node % this.#urls.length]!, parts);
      const { status } = answer;
      const isOutage = status === 500 && answer.headers.has('retry-after');
      const outcome = status < 300 ? 'admitted' : status === 401 ? 'refused' : 'unknown';
      if (outcome === 'unknown' && !isOutage)
        this.strange.push(`${method} ${target}: ${status} ${answer.text}`);
      this.all.push({ organization, key, parts, sent, received: Date.now(), outcome });
      return isOutage ? undefined : answer;
    } catch (error) {
      this.strange.push(`${method} ${target}: ${error}`);
      return undefined;
    }
  }

  /** Sends an admitted request again. True if it was refused, undefined if there was an outage. */
  async isRefusedAgain({ parts }: SentRequest, node: number): Promise<boolean | undefined> {
    const { status } = await send(this.#urls[node % this.#urls.length]!, parts);
    if (status === 500) return undefined;
    return status === 401;
  }

  admitted(): SentRequest[] {
    return this.all.filter(({ outcome }) => outcome === 'admitted');
  }
}

const minute = 60_000;

/** The most admitted requests that were surely admitted within one minute. */
export function mostInOneMinute(requests: readonly SentRequest[]): number {
  const admitted = requests.filter(({ outcome }) => outcome === 'admitted');
  return Math.max(
    ...admitted.map(
      ({ sent }) => admitted.filter(one => one.sent >= sent && one.received < sent + minute).length,
    ),
  );
}

/** Whether so many requests may have been admitted in the minute before a refused one. */
export function limitMayHaveBeenReached(
  refused: SentRequest,
  requests: readonly SentRequest[],
  limit: number,
): boolean {
  const possible = requests.filter(
    ({ outcome, sent, received }) =>
      outcome !== 'refused' && received > refused.sent - minute && sent < refused.received,
  );
  return possible.length >= limit;
}

/** Creates what a client needs before it scans, and returns the ids. */
export async function addSource(url: string, key: ClientKey, host: string) {
  const create = async (path: string, body: object) =>
    (await call(url, key, 'POST', `/api/v1${path}`, body)).json;
  const { system } = await create('/systems', { name: 'S', environment: 'test', kind: 'site' });
  const { source } = await create('/sources', { system_id: system.id, name: 'W', kind: 'website', host });
  await create(`/sources/${source.id}/risk-accept`, {});
  await create(`/sources/${source.id}/authorize-scan`, {});
  return { systemId: system.id as string, sourceId: source.id as string };
}
