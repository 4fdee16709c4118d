import { randomBytes } from 'node:crypto';
import { notAssessed } from '../../captures/assessment.ts';
import { markedText } from '../../captures/marked-text.ts';
import { isOwnAnswer, pageTraits } from '../../captures/own-answer.ts';
import type { HttpResponse, ReflectionProbe } from '../../captures/website.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { type OriginHeaders, requestFor } from './navigate.ts';
import { offeredParameters } from './offers/offered-parameters.ts';
import type { Candidate } from './offers/offers-of-page.ts';

/** Parameters that are tested individually in one scan, with two requests each. */
const maxAlone = 40;
const readBytes = 256 * 1024;

/**
 * Requests the page, the pages it links to with a query, and the results of its search forms, first with plain letters
 * in their query parameters and then with marked text. Only with GET, only what the page itself offers to visitors, and
 * nothing whose words suggest an action.
 *
 * @param place a finding's locator, URL and parameter, to request even if the page no longer references it
 */
export async function probeReflection(
  client: HttpClient,
  page: HttpResponse,
  credential: OriginHeaders | null,
  place: string | undefined,
): Promise<ReflectionProbe[]> {
  const { candidates, leftOut } = offeredParameters(page, place);
  const asking = new Asking(client, credential);
  const probes: ReflectionProbe[] = [];
  for (const candidate of candidates) probes.push(...(await asking.probesOf(candidate)));
  const reason = leftOut ?? asking.leftOut;
  if (reason !== null) {
    const response = notAssessed(reason);
    probes.push({ url: page.url, parameters: [], harmless: response, response });
  }
  return probes;
}

class Asking {
  readonly #client: HttpClient;
  readonly #credential: OriginHeaders | null;
  #alone = 0;
  leftOut: string | null = null;

  constructor(client: HttpClient, credential: OriginHeaders | null) {
    this.#client = client;
    this.#credential = credential;
  }

  /** Tests all parameters at once, or one by one if the page refuses that. */
  async probesOf(candidate: Candidate): Promise<ReflectionProbe[]> {
    const together = await this.#probe(candidate);
    if (candidate.names.length < 2 || !isRefused(together)) return [together];
    const probes: ReflectionProbe[] = [];
    for (const name of candidate.names) {
      if (this.#alone >= maxAlone) {
        this.leftOut ??= `The page refuses several parameters at once, and the scan tests only ${maxAlone} one by one.`;
        break;
      }
      this.#alone += 1;
      probes.push(await this.#probe({ ...candidate, names: [name] }));
    }
    return probes;
  }

  async #probe({ url, names }: Candidate): Promise<ReflectionProbe> {
    const parameters = names.map(name => ({ name, marker: `p${randomBytes(6).toString('hex')}` }));
    const plain = await this.#ask(
      url,
      parameters.map(({ name, marker }) => [name, marker]),
    );
    const response = await this.#ask(
      url,
      parameters.map(({ name, marker }) => [name, markedText(marker)]),
    );
    const harmless: ReflectionProbe['harmless'] = plain.assessed
      ? { assessed: true, value: traitsOf(plain.value, parameters) }
      : plain;
    return { url: url.origin + url.pathname, parameters, harmless, response };
  }

  #ask(url: URL, values: readonly (readonly [string, string])[]) {
    const asked = new URL(url);
    const query = new URLSearchParams(url.search);
    for (const [name, value] of values) query.set(name, value);
    asked.search = query.toString();
    return assess(
      this.#client.request(asked, {
        depth: 'full',
        ...requestFor(asked, this.#credential),
        readLimit: readBytes,
        keepLimit: readBytes,
        encoding: 'utf8',
      }),
    );
  }
}

const traitsOf = ({ status, body }: HttpResponse, parameters: ReflectionProbe['parameters']) =>
  pageTraits(
    status,
    body,
    parameters.map(({ marker }) => marker),
  );

/** With all parameters at once, the response is not a page, or a different one than for the plain markers. */
function isRefused({ parameters, harmless, response }: ReflectionProbe): boolean {
  if (!harmless.assessed || !response.assessed) return false;
  return harmless.value.status >= 400 || !isOwnAnswer(harmless.value, traitsOf(response.value, parameters));
}
