import type { Answer, Client } from '../../cli/client.ts';
import { jsonOf, RefusedError } from '../../cli/request-json.ts';
import type { Narrator } from './narrator.ts';

/** Sends signed requests and prints them. */
export class Exchange {
  readonly #client: Client;
  readonly #narrator: Narrator;
  readonly #signal: AbortSignal;
  #first = true;

  constructor(client: Client, narrator: Narrator, signal: AbortSignal) {
    this.#client = client;
    this.#narrator = narrator;
    this.#signal = signal;
  }

  /**
   * @param facts selects the fields of the answer to print
   * @throws RefusedError for any status but 2xx
   */
  async send<T>(
    method: string,
    target: string,
    body: object | undefined,
    facts: (answer: T) => Readonly<Record<string, unknown>>,
  ): Promise<{ json: T; answer: Answer }> {
    const answer = await this.#client.send(method, target, {
      signal: this.#signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (this.#first) this.#narrator.requestInFull(answer.request);
    else this.#narrator.request(answer.request);
    this.#first = false;
    if (answer.status > 299) throw new RefusedError(answer, this.#client.settings.token);
    const json = jsonOf<T>(answer);
    this.#narrator.answer(answer, facts(json));
    return { json, answer };
  }

  /** Sends the identical request again. */
  async replay({ request }: Answer): Promise<void> {
    const { method, headers, body } = request;
    const response = await fetch(request.url, {
      method,
      headers,
      body: String(body),
      signal: this.#signal,
    });
    const text = `${response.status} ${await response.text()}`;
    this.#narrator.paragraph(
      `The same request sent again: ${text}. A nonce is accepted once, so a captured request cannot be replayed.`,
      '   ',
    );
  }
}
