import { urlAt } from '../../captures/url-at.ts';
import { connectionErrorCode } from '../connection/failure.ts';
import type { HttpClient } from '../website/http-client.ts';

/** Bytes of one answer that are read, enough for a description of a few thousand columns. */
const readBytes = 3 * 1024 * 1024;

export interface ApiAnswer {
  readonly status: number;
  /** By lowercase name. */
  readonly header: (name: string) => string | undefined;
  /** The body if it is complete JSON, else undefined. */
  readonly json: unknown;
}

/**
 * Sends requests to a project's API: only GET and HEAD, without redirects, and only to servers with a trusted
 * certificate.
 */
export class ProjectApi {
  readonly #client: HttpClient;
  readonly #origin: string;

  constructor(client: HttpClient, origin: string) {
    this.#client = client;
    this.#origin = origin;
  }

  /** @throws TargetRefused, BudgetSpent, or an error that `connectionErrorCode` handles */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<ApiAnswer> {
    return this.#ask('GET', path, headers);
  }

  /** The same without a body, so that no row is sent. */
  head(path: string, headers: Readonly<Record<string, string>>): Promise<ApiAnswer> {
    return this.#ask('HEAD', path, headers);
  }

  async #ask(
    method: 'GET' | 'HEAD',
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<ApiAnswer> {
    const response = await this.#client.request(urlAt(this.#origin, path), {
      depth: 'safe',
      method,
      headers: { accept: 'application/json', ...headers },
      requireTrusted: true,
      readLimit: readBytes,
      keepLimit: readBytes,
      encoding: 'utf8',
    });
    const header = (name: string) => response.headers.find(([field]) => field === name)?.[1];
    const isJson = /^application\/(?:openapi\+)?json\b/i.test(header('content-type') ?? '');
    return {
      status: response.status,
      header,
      json: isJson && !response.body_truncated ? parse(response.body) : undefined,
    };
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Why a request failed, in a sentence. */
export function reasonOf(error: unknown): string {
  return `A request to the project's API failed: ${connectionErrorCode(error)}.`;
}
