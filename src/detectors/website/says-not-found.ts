import type { HttpResponse } from '../../evidence/website.ts';

/** Whether an answer says in words that there is nothing, as the pages of many sites do with status 200. */
export function saysNotFound({ body }: HttpResponse): boolean {
  return body.length < longestMessage && notFound.test(body);
}

const longestMessage = 20_000;

const notFound =
  /\b(?:not (?:be )?found|(?:could not|couldn[’']t|cannot|can[’']t) (?:be )?find|no such|(?:does not|doesn[’']t) exist|nothing (?:is )?(?:here|there)|nicht gefunden|existiert nicht|introuvable|n[’']existe pas|no encontrad[oa]|no existe|non trovat[oa]|niet gevonden|não encontrad[oa])/i;
