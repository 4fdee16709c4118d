import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { isChallengeHeader } from '../../captures/challenge-header.ts';
import { mediaTypeOf } from '../../captures/media-type.ts';
import { isGone } from '../../captures/statuses.ts';
import type { HttpResponse } from '../../captures/website.ts';

/** Media types that no site uses for scripts, and that most services use for other answers. */
const otherKinds =
  /^(?:(?:image|audio|video|font)\/|text\/(?:css|csv|xml)$|application\/(?:json|xml|pdf|zip)$)|\+(?:json|xml)$/;

/**
 * Distinguishes scripts from error pages, and responses that every visitor gets from those that may be meant only for
 * the scan.
 */
export function judgeScript(
  response: HttpResponse,
  asked: URL,
  page: HttpResponse,
): Assessment<HttpResponse> {
  const { status, body } = response;
  // If a script redirects to something else, such as a login page, other visitors may still get the script.
  const runsNowhere: Assessment<HttpResponse> =
    response.url === asked.href
      ? { assessed: true, value: { ...response, body: '' } }
      : notAssessed('A script is redirected to a response that is not a script.');
  if (isGone(status)) return runsNowhere;
  if (status !== 200) return notAssessed(`A script answers the scan with status ${status}.`);
  if (response.body_unread !== null) return notAssessed(response.body_unread);
  if (response.headers.some(isChallengeHeader))
    return notAssessed('A bot protection service answers instead of a script.');
  const type = mediaTypeOf(response.headers);
  if (otherKinds.test(type)) return notAssessed(`The server returned ${type} instead of a script.`);
  if (body === page.body) return runsNowhere;
  const { start, hasCode } = withoutComments(body);
  // Browsers run scripts of almost any type, but none that begins with a tag.
  if (start.startsWith('<')) return notAssessed('The server returned a page instead of a script.');
  if (isData(body)) return notAssessed('The server returned data instead of a script.');
  // A script with a script type may be empty. Text of another type may be a message.
  return hasCode || isScriptType(type)
    ? { assessed: true, value: response }
    : notAssessed('The server returned text without code instead of a script.');
}

const isScriptType = (type: string) => /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type);

/**
 * The beginning of a script after its comments, including HTML-like ones (ECMAScript, B.1.1), and whether it contains
 * code.
 */
function withoutComments(body: string): { start: string; hasCode: boolean } {
  const comment = /[\s\ufeff;]+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|<!--(?:[^\n]*?-->|[^\n]*)/y;
  let at = 0;
  for (comment.lastIndex = 0; comment.test(body); ) at = comment.lastIndex;
  return { start: body.slice(at, at + 20), hasCode: /[(){}=]/.test(body.slice(at)) };
}

function isData(body: string): boolean {
  if (!/^[\s\ufeff]*[[{"]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
