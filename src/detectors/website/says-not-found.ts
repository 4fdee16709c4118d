import type { HttpResponse } from '../../captures/website.ts';
import { isMarkup } from './shown-as-html.ts';

/** Whether a response says "not found" in its text, as many sites do with status 200. */
export function saysNotFound(response: HttpResponse): boolean {
  const { body } = response;
  // Files contain such words in comments.
  const longest = isMarkup(response) ? longestPage : longestMessage;
  return body.length < longest && notFound.test(body);
}

const longestPage = 20_000;
const longestMessage = 300;

const notFound =
  /\b(?:not (?:be )?found|(?:could not|couldn[’']t|cannot|can[’']t) (?:be )?find|no such|(?:does not|doesn[’']t) exist|nothing (?:is )?(?:here|there)|nicht gefunden|existiert nicht|introuvable|n[’']existe pas|no encontrad[oa]|no existe|non trovat[oa]|niet gevonden|não encontrad[oa])/i;
