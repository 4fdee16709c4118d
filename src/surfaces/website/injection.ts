import { randomBytes } from 'node:crypto';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { injectionTests } from '../../captures/injection-tests.ts';
import type { HttpResponse, InjectionProbe } from '../../captures/website.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { type OriginHeaders, requestFor } from './navigate.ts';
import { inventedName, offeredParameters } from './offers/offered-parameters.ts';

/** Parameters that are tested, with up to seven requests each. */
const maxTested = 20;
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
 * Requests the parameters that the page offers, one at a time, with text that provokes an error of a database, a redirect to another
 * site, the result of a calculation or the content of a system file. Nothing waits, and nothing is written.
 *
 * @param place a finding's locator, URL and parameter
 */
export async function probeInjection(
  client: HttpClient,
  page: HttpResponse,
  credential: OriginHeaders | null,
  place: string | undefined,
): Promise<InjectionProbe[]> {
  const { candidates, leftOut } = offeredParameters(page, place);
  const parameters = candidates.flatMap(({ url, names }) =>
    names.filter(name => name !== inventedName).map(name => ({ url, name })),
  );
  const asking = new Asking(client, credential);
  const probes: InjectionProbe[] = [];
  for (const { url, name } of parameters.slice(0, maxTested)) probes.push(...(await asking.test(url, name)));
  const reason =
    parameters.length > maxTested ? `The scan tests only ${maxTested} parameters of a page.` : leftOut;
  if (reason !== null) {
    const none = notAssessed(reason);
    probes.push({
      url: page.url,
      parameter: '',
      kind: 'sql',
      sent: '',
      word: '',
      usual: none,
      response: none,
    });
  }
  return probes;
}

class Asking {
  readonly #client: HttpClient;
  readonly #credential: OriginHeaders | null;

  constructor(client: HttpClient, credential: OriginHeaders | null) {
    this.#client = client;
    this.#credential = credential;
  }

  async test(url: URL, parameter: string): Promise<InjectionProbe[]> {
    const word = `p${randomBytes(5).toString('hex')}`;
    const value = url.searchParams.get(parameter) || word;
    const usual = await this.#ask(url, parameter, value);
    const probes: InjectionProbe[] = [];
    for (const { kind, text } of injectionTests(word, value)) {
      if (kind === 'file' && !ofFiles.test(parameter) && !fileValue.test(value)) continue;
      if (kind === 'redirect' && !ofTargets.test(parameter) && !targetValue.test(value)) continue;
      const response = await this.#ask(url, parameter, text);
      const where = url.origin + url.pathname;
      probes.push({ url: where, parameter, kind, sent: text, word, usual, response });
    }
    return probes;
  }

  #ask(url: URL, name: string, value: string): Promise<Assessment<HttpResponse>> {
    const asked = new URL(url);
    const query = new URLSearchParams(url.search);
    query.set(name, value);
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
