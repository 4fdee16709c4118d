import { isChallengeHeader } from '../../captures/challenge-header.ts';
import { mediaTypeOf } from '../../captures/media-type.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { keptText, type Outline, outlineOf } from './outline.ts';
import { saysNotFound } from './says-not-found.ts';
import { isMarkup } from './shown-as-html.ts';

/** Pages of the services below have a few kilobytes, and their default block pages less. A longer page may be an article about them. */
const challengeLength = 10_000;
const blockPageLength = 2_000;

/** Marks of bot protection pages, which the pages that they protect do not contain. */
const challengeMarks: readonly RegExp[] = [
  // Imperva adds a script with this URL to ordinary pages too, but no frame.
  /id="main-iframe"[^>]{0,300}_Incapsula_Resource\?/,
  /sucuri_cloudproxy_js/,
  /\/\.well-known\/ddos-guard\/(?:js-challenge|ddg-captcha-page)\//,
  /["'; =]\/\.well-known\/(?:sg)?captcha\/\?r=/,
  /<script id="anubis_challenge"/,
  // Cloudflare adds another script of this folder to ordinary pages.
  /\/cdn-cgi\/challenge-platform\/h\/[a-z]\/orchestrate\//,
  /window\._cf_chl_opt\b/,
  // DataDome.
  /https:\/\/(?:ct|geo)\.captcha-delivery\.com\//,
  // HUMAN (PerimeterX).
  /id=["']?px-captcha\b/,
  // Kasada.
  /\/ips\.js\?[^"' ]{0,300}KP_UIDz=/,
  // AWS WAF.
  /window\.gokuProps\b/,
  // Akamai Bot Manager.
  /\bid=["']?sec-(?:if-cpt|cpt-if|bc)-container\b/,
  /\/_sec\/verify\?provider=interstitial/,
  // Vercel.
  /<title>Vercel Security Checkpoint<\/title>/i,
  // F5, whose script is in ordinary pages too, but not alone with an id for support.
  /\/TSPD\/[\s\S]{0,2000}support ID/,
  // Imperva puts this script at the end of ordinary pages, and before nothing.
  /<script src="\/_Incapsula_Resource\?SWJIYLWA=[^>]{0,300}>\s{0,8}<\/script>\s{0,8}<body>\s{0,8}<\/body>/i,
  // testcookie-nginx.
  /\bdocument\.cookie\s{0,4}=\s{0,4}["'](?:__test|_test)=/,
  // cdnfly, SafeLine, haproxy-protection, Reblaze, BitNinja.
  /["']\/_guard\/[a-z]{2,20}\.js/,
  /["']\/\.safeline\/static\//,
  /["']\/\.basedflare\//,
  /\bwindow\.rbzns\b/,
  /<title>Waiting for the redirectiron\.\.\.<\/title>/i,
];

/** A captcha widget. A page with nothing else is a challenge. */
const captcha =
  /\bclass=["']?(?:g-recaptcha|h-captcha|cf-turnstile)\b|\/\/(?:js\.hcaptcha\.com|challenges\.cloudflare\.com\/turnstile)\//;

/** Titles of challenge pages and of maintenance pages. */
const standInTitles =
  /^(?:just a moment\b.*|attention required!.*|(?:please wait|one moment)\b.*|checking your browser.*|ddos protection\b.*|access to this page has been denied.*|pardon our interruption.*|(?:are you|robot or) (?:a )?(?:human|robot)\b.*|(?:human|bot) verification|verify(?:ing)? (?:that )?you are (?:a )?human.*|client challenge|security (?:check|checkpoint)|making sure you're not a bot!?)$/i;
const maintenanceTitles =
  /^(?:(?:site |website )?(?:is )?(?:under|down for|scheduled|in) maintenance\b.*|maintenance(?: mode)?|site (?:is )?(?:temporarily )?(?:offline|unavailable)|(?:503 )?service (?:temporarily )?unavailable|we'll be right back\b.*)$/i;

/** Default block pages of firewalls, sometimes with status 200. */
const blockPageMarks: readonly RegExp[] = [
  // F5 BIG-IP ASM and NGINX App Protect.
  /The requested URL was rejected\. Please consult with your administrator\./,
  /Request unsuccessful\. Incapsula incident ID: /,
  /<title>Sucuri WebSite Firewall - Access Denied<\/title>/i,
  // Akamai.
  /<title>Access Denied<\/title>[\s\S]{0,800}Reference(?:&#32;|\s)(?:&#35;|#)\d/i,
];

/** Titles of error pages that a proxy or application returns with status 200. "Not found" is the site's own. */
const errorTitles =
  /^(?:(?:http )?(?:error )?(?!40[4]|410)[45]\d\d\b.*|(?:error:? )?(?:access (?:is )?(?:denied|forbidden)|forbidden|unauthori[sz]ed|bad (?:request|gateway)|gateway time-?out|internal server error|server error|too many requests|rate limit exceeded|(?:request|you have been|your request (?:has been|was)|your ip (?:has been|was|is)) (?:rejected|blocked|denied)|blocked|not acceptable|database error|web server is down)\b.*|error)$/i;
/** The same in the text of short pages without such a title, and in responses that are not pages. */
const errorTexts =
  /^(?:access denied|forbidden|unauthori[sz]ed|bad gateway|service unavailable|gateway time-?out|internal server error|too many requests|rate limit|blocked|request (?:rejected|blocked)|(?:your|this) (?:request|ip|access)\b.{0,60}\b(?:blocked|denied|rejected|limited)|upstream |no healthy upstream|server (?:is )?(?:too )?busy|(?:please )?(?:slow down|try again)|error establishing a database connection|an error occurred|site (?:is )?(?:disabled|suspended))/i;
const wantsCookies =
  /\b(?:enable|activate|turn on|allow|accept) (?:your )?(?:browser )?(?:cookies|javascript)\b/i;
/** Default pages of servers without a site. */
const defaultTitles =
  /^(?:welcome to (?:nginx|openresty|caddy|centos)\b.*|apache2? .{0,20}default page.*|test page for .*|http server test page.*|iis windows(?: server)?|iis\d|default (?:web )?(?:site|page)|it works!?)$/i;

/**
 * Phrases of maintenance, challenge and error pages, in the languages of half of all sites. They only count on a page without other
 * content, since elsewhere they may be its topic.
 */
const maintenanceWords =
  /\b(?:(?:under|for|scheduled|in|down for) (?:scheduled )?maintenance|coming soon|under construction|(?:we(?:['’]ll| will)|we are|back|be) (?:be )?(?:right |back )(?:back|soon|shortly|online|later|in a)\b|(?:site|website|page|service) (?:is )?(?:currently |temporarily )?(?:offline|unavailable|closed|down)|temporarily (?:offline|unavailable|closed|down)|account (?:has been )?suspended)|wartung|in kürze (?:wieder|zurück)|gleich (?:wieder|zurück)|vorübergehend nicht (?:erreichbar|verfügbar)|en maintenance|maintenance en cours|de retour (?:bientôt|dans)|bientôt disponible|(?:en|por) mantenimiento|volvemos (?:pronto|enseguida)|próximamente|in manutenzione|torneremo (?:presto|online)|em manutenção|voltaremos|onderhoud|przerwa techniczna|prace (?:techniczne|konserwacyjne)|техническ(?:ие|ое|их)|обслуживани|на реконструкции|维护|維護|メンテナンス|점검|صيانة|bakım(?:da| çalışması)|underhåll/iu;
const robotWords =
  /\b(?:(?:verify|confirm|check|prove)\w{0,3} (?:that )?(?:you(?:['’]re| are)|if you are|your browser)|(?:are you|you are|not) (?:a )?(?:robot|human)\b|checking (?:your|the) (?:browser|connection)|(?:complete|solve) (?:the|this) (?:captcha|security check|puzzle)|captcha|unusual (?:traffic|activity)|(?:you are|you['’]re|being|been) rate[- ]limited|too many requests|waiting room|(?:you are|you['’]re) (?:now )?in (?:the |a )?(?:line|queue)\b)|verifying that|zu viele anfragen|trop de requêtes|demasiadas (?:solicitudes|peticiones)|sicherheitsüberprüfung|vérification (?:de sécurité|que vous)|verificación de seguridad|проверка браузера|слишком много запросов|安全验证|安全驗證|人机验证|验证码|アクセスが集中|リクエストが多すぎ/iu;
const failureWords =
  /\b(?:(?:sorry,? )?something (?:has gone|went) wrong|(?:please )?try again (?:later|in a|soon)|server (?:is )?(?:too )?busy|an error (?:has )?occurred|critical error|not available in your (?:country|region|area)|error establishing a database connection|(?:your|this) request (?:was|has been|looked|looks) \w{1,12})|zugriff (?:verweigert|gesperrt)|accès (?:refusé|interdit|bloqué)|acceso (?:denegado|restringido|bloqueado)|accesso negato|acesso negado|toegang geweigerd|доступ (?:запрещ|ограничен)|拒绝访问|アクセスが拒否|kritischen fehler|fehler (?:beim aufbau|aufgetreten)|(?:ist ein|interner) fehler|une erreur (?:est survenue|s['’]est produite)|ha ocurrido un error|si è verificato un errore|произошла ошибка/iu;

const challengeReason = 'A bot protection service responds instead of the site.';
const maintenanceReason = 'A maintenance page is shown instead of the site.';
const errorReason = 'An error message is shown instead of the site, with a success status.';
const defaultReason = 'A server’s default page is shown instead of the site.';
const stubReason = 'The response has no content and only redirects visitors with a refresh.';
const scriptReason = 'The page has no content except for a script that builds the page or redirects.';
const failureReason = 'The application failed before the page was complete.';
const frameReason = 'The response has no content and only shows another page in a frame.';

const titles = [
  [standInTitles, challengeReason],
  [maintenanceTitles, maintenanceReason],
  [errorTitles, errorReason],
  [defaultTitles, defaultReason],
] as const;

const phrases = [
  [maintenanceWords, maintenanceReason],
  [robotWords, challengeReason],
  [failureWords, errorReason],
] as const;

/** Text of challenge pages for browsers without scripts. */
const noscriptOfChallenge = /\bsupport ID\b|to view the page content|requires javascript to work/i;

/** A page without fields, and almost without links into the site. */
const isSlight = ({ text, hasField, ownLinks }: Outline) =>
  text.length < slightCharacters && !hasField && ownLinks < 2;

/** The length of a message, with a signature and a support ID. */
const slightCharacters = 300;

/** Detectors check the same responses repeatedly. */
const known = new WeakMap<HttpResponse, string | null>();

/** Why a response is not, or not yet, the site's own, as a sentence. Null where it is. */
export function standInReason(response: HttpResponse): string | null {
  const reason = known.get(response);
  if (reason !== undefined) return reason;
  const found = findReason(response);
  known.set(response, found);
  return found;
}

function findReason(response: HttpResponse): string | null {
  if (isChallenge(response)) return challengeReason;
  if (response.status >= 300) return null;
  return isMarkup(response) ? reasonOfPage(outlineOf(response)) : reasonOfText(response);
}

function reasonOfPage(page: Outline): string | null {
  const { title, text } = page;
  if (page.refreshes.some(leavesAtOnce)) return stubReason;
  // A longer page may be an article about them, and one that links into the site belongs to it.
  if (text.length >= keptText || page.ownLinks > 2) return null;
  const reason = titles.find(([pattern]) => pattern.test(title))?.[1];
  if (reason !== undefined) return reason;
  if (noscriptOfChallenge.test(page.noscript) && text === '') return challengeReason;
  if (text !== '' && isSlight(page)) {
    const words = `${title} ${text}`;
    const reason = phrases.find(([pattern]) => pattern.test(words))?.[1];
    if (reason !== undefined) return reason;
  }
  if (!isBare(page)) return null;
  if (errorTexts.test(text)) return errorReason;
  if (wantsCookies.test(text)) return challengeReason;
  if (page.refreshes.some(leavesSoon)) return stubReason;
  return page.hasFrame && !page.hasOwnScript ? frameReason : null;
}

/**
 * Why a page of the site is incomplete: its only content is an error, or an inline script that may redirect visitors or build the
 * page. Null where it is complete. What the page does contain still counts.
 *
 * An application with its script in a file is complete, since the scan reads that file.
 */
export function unbuiltReason(response: HttpResponse): string | null {
  if (response.status >= 300 || !isMarkup(response)) return null;
  const page = outlineOf(response);
  if (!isBare(page)) return null;
  if (failures.test(page.text)) return failureReason;
  return !page.hasOwnScript && mayLead.test(page.script) ? scriptReason : null;
}

/** Messages of an application that ended before the page was complete. */
const failures =
  /^(?:php )?(?:fatal|parse|uncaught|syntax) error\b|^traceback \(most recent call last\)|^(?:uncaught|unhandled) exception\b/i;

const isBare = ({ text, hasField, ownAddresses }: Outline) =>
  text.length < fewCharacters && !hasField && ownAddresses < 2;

/** A script needs a call or an address to redirect or to build a page. */
const mayLead = /[\w$\])]\s{0,8}[(`]|\]\s{0,8}=|location|\.(?:href|src)\b/;

/** Plain words, or the members of an object, such as {"error":"Too many requests"}. */
function reasonOfText(response: HttpResponse): string | null {
  const { headers, body } = response;
  if (body.length > longestMessage || saysNotFound(response)) return null;
  const isJson = /[/+]json$/.test(mediaTypeOf(headers));
  return (isJson ? errorObject : errorTexts).test(body.trim()) ? errorReason : null;
}

const longestMessage = 1_000;
const errorObject =
  /^\{\s{0,8}"(?:error|fault|exception)"\s{0,8}:|^\{[\s\S]{0,100}"(?:message|msg|detail|title|reason)"\s{0,8}:\s{0,8}"[^"]{0,80}\b(?:too many|rate limit|slow down|forbidden|denied|blocked|unavailable|busy|try again|unauthori[sz]ed)/i;

function isChallenge(response: HttpResponse): boolean {
  const { status, headers, body } = response;
  // Cloudflare, Vercel, AWS WAF and SiteGround send a header, with any status.
  if (headers.some(isChallengeHeader)) return true;
  if (body.length < challengeLength && challengeMarks.some(mark => mark.test(body))) return true;
  const hasCaptcha = status < 400 && body.length < challengeLength && captcha.test(body);
  if (hasCaptcha && isMarkup(response) && isSlight(outlineOf(response))) return true;
  // With an error status, it is an ordinary refusal.
  return status < 400 && body.length < blockPageLength && blockPageMarks.some(mark => mark.test(body));
}

/** Less text is not content, such as "You are being redirected. Click here if nothing happens." */
const fewCharacters = 200;

/** A refresh with a longer delay, in seconds, reloads the page unless it names another. */
const longestDelay = 10;

const delayOf = (refresh: string) => Number.parseFloat(refresh);
const namesAnother = (refresh: string) =>
  refresh
    .trim()
    .split(/[;,\s]/)
    .slice(1)
    .some(part => part !== '');

/** The delay is too short to read the page. */
const leavesAtOnce = (refresh: string) => delayOf(refresh) <= 1 && namesAnother(refresh);
const leavesSoon = (refresh: string) => delayOf(refresh) <= longestDelay || namesAnother(refresh);
