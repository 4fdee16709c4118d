import { randomBytes } from 'node:crypto';
import type { Assessment } from '../../captures/assessment.ts';
import { injectionTests } from '../../captures/injection-tests.ts';
import { pathSegment } from '../../captures/places.ts';
import type { HttpResponse, InjectionFacts, InjectionProbe, PageScript } from '../../captures/website.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { type OriginHeaders, requestFor } from './navigate.ts';
import { inventedName, offeredParameters } from './offers/offered-parameters.ts';
import { type OfferedPlace, offeredPlaces } from './offers/offered-places.ts';

/** Parameters that are tested, with up to nine requests each. */
const maxTested = 30;
const readBytes = 128 * 1024;

/** Names and values of parameters that select a file. */
const ofFiles =
  /(?:^|[_.-])(?:conf(?:ig)?|content|cat|dir(?:ectory)?|doc(?:ument)?|download|fi?le?(?:name)?|folder|image|img|inc(?:lude)?|lang|layout|locale|log|mod(?:ule)?|page|path|pdf|read|root|skin|source|src|style|tem?pl(?:ate)?|theme|view)(?:$|[_.-])|filename|filepath/i;
const fileValue = /\/|\.(?:html?|php|txt|pdf|xml|jsp|tpl|inc|log|ini|md)$/i;

/** Names and values of parameters that lead visitors elsewhere. */
const ofTargets =
  /(?:^|[_.-])(?:back|callback|cont(?:inue)?|dest(?:ination)?|forward|from|go(?:to)?|home|image_url|jump|link|login_?url|next|out|page_?url|redir(?:ect)?(?:_?(?:to|uri|url))?|ref(?:errer)?|return(?:_?(?:path|to|url))?|rurl|success|target|to|u|ur[il]|view)(?:$|[_.-])|(?:redirect|return|next|target)(?:url|uri|to)/i;
const targetValue = /^(?:https?:)?\/\/|^\/[\w-]/i;

/**
 * Requests the parameters that the page offers, parts of paths and searches that are sent with POST, one at a time, with text that
 * provokes an error of a database, a redirect to another site, the result of a calculation or the content of a system file. Nothing waits,
 * and nothing is written.
 *
 * @param place a finding's locator, URL and parameter
 */
export async function probeInjection(
  client: HttpClient,
  page: HttpResponse,
  scripts: readonly PageScript[],
  credential: OriginHeaders | null,
  place: string | undefined,
): Promise<InjectionFacts> {
  const { candidates, leftOut } = offeredParameters(page, place);
  const parameters = candidates.flatMap(({ url, names }) =>
    names.filter(name => name !== inventedName).map(name => inQuery(url, name)),
  );
  const asking = new Asking(client, credential);
  const probes: InjectionProbe[] = [];
  const offered = offeredPlaces(page, scripts, place);
  for (const one of [...parameters.slice(0, maxTested), ...offered.places])
    probes.push(...(await asking.test(one)));
  const left_out =
    parameters.length > maxTested
      ? `The scan tests only ${maxTested} parameters of a page.`
      : (leftOut ?? offered.leftOut);
  return { probes, left_out };
}

class Asking {
  readonly #client: HttpClient;
  readonly #credential: OriginHeaders | null;

  constructor(client: HttpClient, credential: OriginHeaders | null) {
    this.#client = client;
    this.#credential = credential;
  }

  async test({ url, parameter, value: offered, request }: OfferedPlace): Promise<InjectionProbe[]> {
    const word = `p${randomBytes(5).toString('hex')}`;
    const value = offered || word;
    const isPath = parameter === pathSegment;
    const usual = await this.#ask(request(value));
    const probes: InjectionProbe[] = [];
    for (const { kind, text } of injectionTests(word, value)) {
      if (kind === 'file' && !(ofFiles.test(parameter) && !isPath) && !fileValue.test(value)) continue;
      if (kind === 'redirect' && (isPath || (!ofTargets.test(parameter) && !targetValue.test(value))))
        continue;
      const response = await this.#ask(request(text));
      probes.push({ url, parameter, kind, sent: text, word, usual, response });
    }
    return probes;
  }

  #ask({ url, headers, ...how }: ReturnType<OfferedPlace['request']>): Promise<Assessment<HttpResponse>> {
    const { headers: own, ...trust } = requestFor(url, this.#credential);
    return assess(
      this.#client.request(url, {
        depth: 'full',
        ...how,
        ...trust,
        headers: { ...own, ...headers },
        readLimit: readBytes,
        keepLimit: readBytes,
        encoding: 'utf8',
      }),
    );
  }
}

/** A query parameter that the page offers. */
function inQuery(url: URL, parameter: string): OfferedPlace {
  return {
    url: url.origin + url.pathname,
    parameter,
    value: url.searchParams.get(parameter) ?? '',
    request: text => {
      const asked = new URL(url);
      const query = new URLSearchParams(url.search);
      query.set(parameter, text);
      asked.search = query.toString();
      return { url: asked };
    },
  };
}
