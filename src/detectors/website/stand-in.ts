import { readTags } from '../../evidence/read-tags.ts';
import type { HttpResponse } from '../../evidence/website.ts';

/** Pages of the services below have a few kilobytes, and their default block pages less: a longer page may be about them. */
const challengeLength = 10_000;
const blockPageLength = 2_000;

/** What the pages of services against robots contain, and the pages that they protect do not. */
const challengeMarks: readonly RegExp[] = [
  // Imperva puts a script of this address into ordinary pages, too, but no frame.
  /id="main-iframe"[^>]{0,300}_Incapsula_Resource\?/,
  /sucuri_cloudproxy_js/,
  /\/\.well-known\/ddos-guard\/(?:js-challenge|ddg-captcha-page)\//,
  /["'; =]\/\.well-known\/(?:sg)?captcha\/\?r=/,
  /<script id="anubis_challenge"/,
];

/** What firewalls answer in place of the page, as their vendors deliver it, sometimes with status 200. */
const blockPageMarks: readonly RegExp[] = [
  // F5 BIG-IP ASM and NGINX App Protect.
  /The requested URL was rejected\. Please consult with your administrator\./,
  /Request unsuccessful\. Incapsula incident ID: /,
  /<title>Sucuri WebSite Firewall - Access Denied<\/title>/i,
  // Akamai.
  /<title>Access Denied<\/title>[\s\S]{0,800}Reference(?:&#32;|\s)(?:&#35;|#)\d/i,
];

const challengeReason = 'A bot protection service answers in place of the site.';
const stubReason = 'The answer has no content and only sends visitors on by a refresh.';

/** Why an answer is none of the site's, or none yet, in a sentence. Null where it is one. */
export function standInReason(response: HttpResponse): string | null {
  if (isChallenge(response)) return challengeReason;
  return isStub(response) ? stubReason : null;
}

function isChallenge({ status, headers, body }: HttpResponse): boolean {
  // Cloudflare, Vercel, AWS WAF and SiteGround say so in a header, with whatever status.
  const byHeader = headers.some(
    ([name, value]) =>
      /^(?:cf|x-vercel)-mitigated$/.test(name) ||
      name === 'sg-captcha' ||
      (name === 'x-amzn-waf-action' && value !== 'allow'),
  );
  if (byHeader) return true;
  if (body.length < challengeLength && challengeMarks.some(mark => mark.test(body))) return true;
  // With an error status it is a refusal like any other.
  return status < 400 && body.length < blockPageLength && blockPageMarks.some(mark => mark.test(body));
}

const stubLength = 4_000;

/** Fewer characters are no content: "You are being redirected. Click here if nothing happens." */
const fewCharacters = 200;

/** Longer delays, in seconds, bring a page up to date. */
const longestDelay = 10;

/** Text of these elements is nothing that visitors read. */
const withoutContent = new Set(['script', 'style', 'title']);

/** Whether a success has next to no text and leaves by a Refresh header or `<meta http-equiv=refresh>`. */
function isStub({ status, headers, body }: HttpResponse): boolean {
  if (status >= 300 || body.length > stubLength) return false;
  const refreshes = headers.flatMap(([name, value]) => (name === 'refresh' ? [value] : []));
  if (refreshes.length === 0 && !/http-equiv/i.test(body)) return false;
  let hasField = false;
  let within: string | null = null;
  let text = '';
  readTags(body, {
    onOpen(name, attributes) {
      if (name === 'input') hasField = true;
      if (withoutContent.has(name)) within = name;
      const isRefresh = name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'refresh';
      if (isRefresh) refreshes.push(attributes.content ?? '');
    },
    onClose(name) {
      if (name === within) within = null;
    },
    onText(piece) {
      if (within === null) text += piece;
    },
  });
  const leaves = refreshes.some(value => Number.parseFloat(value) <= longestDelay);
  return leaves && !hasField && text.trim().length < fewCharacters;
}
