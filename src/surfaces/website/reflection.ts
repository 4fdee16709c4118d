import { randomBytes } from 'node:crypto';
import { notAssessed } from '../../captures/assessment.ts';
import { markedText } from '../../captures/marked-text.ts';
import { isOwnAnswer, pageTraits } from '../../captures/own-answer.ts';
import { PageAddresses } from '../../captures/page-addresses.ts';
import { parameterAt } from '../../captures/places.ts';
import { readTags } from '../../captures/read-tags.ts';
import type { HttpResponse, ReflectionProbe } from '../../captures/website.ts';
import { linkMayAct } from './acting-words.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { type OriginHeaders, requestFor } from './navigate.ts';

const maxProbes = 20;
const maxParameters = 12;
/** Links and forms that are searched for parameters, characters of one that is requested, and fields of a form. */
const maxOffered = 2_000;
const maxAskedLength = 2_048;
const maxFields = 100;
/** Parameters that are tested individually in one scan, with two requests each. */
const maxAlone = 40;
const readBytes = 256 * 1024;

/** Sent in addition to the page's parameters: many applications write any parameter into links and forms. */
const inventedName = 'parapet';

interface Candidate {
  readonly url: URL;
  /** Parameters that get a marked value; the others keep theirs. */
  readonly names: readonly string[];
}

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
  const { candidates, leftOut } = candidatesOf(page, place);
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

const tooManyProbes = 'The page has more links and forms with parameters than the scan tests.';
const tooManyParameters = `A URL of the page has more than ${maxParameters} parameters.`;

/** The URLs to request, each path with the same parameters once. */
function candidatesOf(
  page: HttpResponse,
  place: string | undefined,
): { candidates: readonly Candidate[]; leftOut: string | null } {
  const found = new Map<string, Candidate>();
  let notAsked: string | null = null;
  const add = (url: URL, names: readonly string[]) => {
    const key = `${url.pathname} ${[...names].sort().join(' ')}`;
    if (found.has(key)) return;
    if (found.size === maxProbes) {
      notAsked ??= tooManyProbes;
      return;
    }
    if (names.length > maxParameters) notAsked ??= tooManyParameters;
    found.set(key, { url, names: names.slice(0, maxParameters) });
  };
  const home = new URL(page.url);
  const again = place === undefined ? null : parameterAt(place);
  if (again !== null && URL.canParse(again.url) && new URL(again.url).origin === home.origin) {
    add(new URL(again.url), [again.name]);
  }
  add(home, [...new Set([...home.searchParams.keys(), inventedName])]);
  const { candidates, leftOut } = offered(page, home.origin);
  for (const { url, names } of candidates) {
    if (names.length > 0 && !linkMayAct(url, names)) add(url, names);
  }
  return { candidates: [...found.values()], leftOut: leftOut ?? notAsked };
}

/** Links with a query and GET forms, up to the limits. */
function offered(
  page: HttpResponse,
  origin: string,
): { candidates: readonly Candidate[]; leftOut: string | null } {
  const found: Candidate[] = [];
  let form: { url: URL; names: string[]; hidden: [string, string][]; isSafe: boolean } | null = null;
  let leftOut: string | null = null;
  const addresses = new PageAddresses(page.url);
  const offer = (candidate: Candidate) => {
    if (candidate.url.origin !== origin) return;
    if (candidate.url.href.length > maxAskedLength)
      leftOut ??= 'The page links to URLs that are too long to request.';
    else if (found.length < maxOffered) found.push(candidate);
    else leftOut ??= 'The page has more links with a query than the scan compares.';
  };
  const ofTags = readTags(page.body, {
    onOpen(element, attributes) {
      if (element === 'a') {
        const mayFollow = attributes.href?.includes('?') && !/\bnofollow\b/i.test(attributes.rel ?? '');
        const url = mayFollow ? addresses.resolve(attributes.href) : null;
        if (url !== null && attributes['data-method'] === undefined) {
          offer({ url, names: [...new Set(url.searchParams.keys())] });
        }
      } else if (element === 'form') {
        const url = addresses.resolve(attributes.action ?? '');
        const isGet = (attributes.method ?? 'get').trim().toLowerCase() === 'get';
        form = url !== null && isGet ? { url, names: [], hidden: [], isSafe: true } : null;
        if (form !== null) form.url.search = '';
      } else if (form !== null && attributes.name !== undefined) {
        if (form.names.length + form.hidden.length >= maxFields) {
          leftOut ??= 'A form of the page has more fields than the scan fills in.';
          form.isSafe = false;
        }
        if (element === 'textarea') form.names.push(attributes.name);
        if (element !== 'input') return;
        const type = (attributes.type ?? 'text').trim().toLowerCase();
        if (['text', 'search', 'url', 'tel', 'email'].includes(type)) form.names.push(attributes.name);
        else if (type === 'hidden') form.hidden.push([attributes.name, attributes.value ?? '']);
        else if (type === 'password' || type === 'file') form.isSafe = false;
      }
    },
    onClose(element) {
      if (element !== 'form' || form === null) return;
      if (form.isSafe) {
        form.url.search = new URLSearchParams(form.hidden).toString();
        offer({ url: form.url, names: form.names });
      }
      form = null;
    },
  });
  return { candidates: found, leftOut: leftOut ?? addresses.gap ?? ofTags };
}
