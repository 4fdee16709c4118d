import { expect, it } from 'vitest';
import type { HttpResponse } from '../../captures/website.ts';
import { home, response } from './hardened-capture.ts';
import { standInReason, unbuiltReason } from './stand-in.ts';

const page = (body: string, changes: Partial<HttpResponse> = {}) => response(home, { body, ...changes });
const rejected =
  '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 9849749215759513006<br><br><a href="javascript:history.back();">[Go Back]</a></body></html>';

it.each<[string, HttpResponse]>([
  ['F5', page(rejected)],
  ['Imperva', page('<html><body>Request unsuccessful. Incapsula incident ID: 92000-1</body></html>')],
  ['Imperva’s frame', page('<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>')],
  ['Sucuri', page('<title>Sucuri WebSite Firewall - Access Denied</title><p>Access Denied')],
  ['Sucuri’s script', page('<script>sucuri_cloudproxy_js="";</script>', { status: 307 })],
  [
    'Akamai',
    page(
      '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don\'t have permission to access "http&#58;&#47;&#47;a&#47;" on this server.<P>Reference&#32;&#35;18&#46;ab</BODY></HTML>',
    ),
  ],
  ['DDoS-Guard', page('<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>')],
  ['Anubis', page('<script id="anubis_challenge" type="application/json">{}</script>')],
  ['SiteGround', page('', { status: 202, headers: [['sg-captcha', 'challenge']] })],
  ['SiteGround’s page', page('<meta http-equiv="refresh" content="30;/.well-known/sgcaptcha/?r=%2F">')],
  ['Cloudflare', page('<p>Wait', { headers: [['cf-mitigated', 'challenge']] })],
  ['AWS WAF', page('<p>Wait', { status: 202, headers: [['x-amzn-waf-action', 'captcha']] })],
  ['Cloudflare with status 200', page('<script>window._cf_chl_opt = {cType: "managed"};</script>')],
  [
    'Cloudflare’s script',
    page('<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>'),
  ],
  ['DataDome', page('<script src="https://ct.captcha-delivery.com/c.js"></script>')],
  ['HUMAN', page('<div id="px-captcha"></div>')],
  ['AWS WAF with a script', page('<script>window.gokuProps = {}</script>')],
  ['a title of Cloudflare only', page('<title>Just a moment...</title><p>Enable JavaScript and cookies')],
  ['a maintenance', page('<title>Under Maintenance</title><h1>Back soon</h1>')],
  ['a script', page('<html><script>window.location.href = "/app/";</script></html>')],
  ['a script that replaces the page', page('<body onload="location.replace(\'/app/\')"></body>')],
  [
    'a script beside one of others',
    page('<script src="https://stats.example/a.js"></script><script>location="/app"</script>'),
  ],
  [
    'a form that submits itself',
    page('<body onload="document.forms[0].submit()"><form action=/app></form></body>'),
  ],
  ['frames', page('<frameset cols="100%"><frame src="/app/"></frameset>')],
  ['only a frame', page('<body><iframe src="/app/"></iframe></body>')],
  ['a frame of another site', page('<frameset><frame src="https://clinic.example/"></frameset>')],
  ['an embedded document', page('<object data="/app/" type="text/html"></object>')],
  ...[
    'location.reload()',
    'window["loc" + "ation"] = u',
    'navigation.navigate("/app")',
    'open("/app", "_self")',
    'document.getElementById("a").click()',
    'document.forms[0].requestSubmit()',
    'fetch("/app").then(r => r.text()).then(t => document.write(t))',
  ].map((script): [string, HttpResponse] => [
    `the script ${script}`,
    page(`<a id=a href=/app></a><form action=/app><input type=hidden></form><script>${script}</script>`),
  ]),
  ['a script in an attribute', page('<img src=/x onerror="location.reload()">')],
  ['a script beside a long style', page(`<style>${'a{} '.repeat(3_000)}</style><script>go()</script>`)],
  ['a refresh after a while', page('<meta http-equiv=refresh content="30;url=/app"><p>Wait')],
  ['a refresh without a time', page('<meta http-equiv=refresh content=";url=/app"><p>Wait')],
  [
    'an immediate refresh, whatever the text',
    page(`<meta http-equiv=refresh content="0;url=/app"><p>${'We have moved. '.repeat(90)}`),
  ],
  ...[
    'Access denied',
    '403 Forbidden',
    '502 Bad Gateway',
    'Error 503',
    'Too Many Requests',
    'Database Error',
    'Your IP has been blocked',
    'Welcome to nginx!',
    'Apache2 Debian Default Page: It works',
    'IIS Windows Server',
  ].map((title): [string, HttpResponse] => [
    `the title ${title}`,
    page(`<title>${title}</title><p>${'Ask your administrator. '.repeat(20)}`),
  ]),
  ['an unavailable database', page('<h1>Error establishing a database connection</h1>')],
  ['a failed application', page('<br><b>Fatal error</b>: Uncaught Error in <b>/var/www/a.php</b>')],
  ['a page that requires cookies', page('<title>Clinic</title><p>Please enable cookies to continue.')],
  ...[
    ['text/plain', 'upstream connect error or disconnect/reset before headers'],
    ['text/plain; charset=utf-8', 'Rate limit exceeded'],
    ['application/json', '{"error":"Too many requests"}'],
  ].map(([type, body]): [string, HttpResponse] => [
    `a message as ${type}`,
    page(body!, { headers: [['content-type', type!]] }),
  ]),
  ['a refresh', page('<!doctype html><title>Wait</title><META content="3;URL=/a" HTTP-EQUIV=Refresh>Wait')],
  ['a Refresh header', page('<p>One moment', { headers: [['refresh', '0; url=/shop']] })],
])('recognizes %s instead of a page', (_, answer) => {
  expect(standInReason(answer) ?? unbuiltReason(answer)).not.toBe(null);
});

it.each<[string, HttpResponse]>([
  ['to which Imperva adds a script', page('<script src="/_Incapsula_Resource?SWJIYLWA=719d"></script><p>Hi')],
  ['of DDoS-Guard', page('<p>Hi', { headers: [['server', 'ddos-guard']] })],
  ['about firewalls', page(`${rejected}${'<p>F5 answers so.'.repeat(200)}`)],
  ['that a firewall refuses, with an error status', page(rejected, { status: 403 })],
  ['that reloads itself', page('<meta http-equiv="refresh" content="300"><p>3 patients wait')],
  [
    'of an application that needs scripts',
    page('<noscript><meta http-equiv="refresh" content="0;url=/nojs"></noscript><script src=/a.js></script>'),
  ],
  ['with text and a redirect', page(`<p>${'We have moved. '.repeat(20)}`, { headers: [['refresh', '5']] })],
  [
    'of Cloudflare with its script for ordinary pages',
    page('<p>Hi<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
  ],
  [
    'of an application that may redirect visitors',
    page('<script>if (old) location.href = "/old"</script><script src=/main.js></script>'),
  ],
  [
    'with text and a script that may redirect visitors',
    page(`<p>${'We sell shoes. '.repeat(20)}<script>location.href="/x"</script>`),
  ],
  [
    'with a frame for visitors without scripts',
    page('<noscript><iframe src="/ns.html"></iframe></noscript><p>Hi'),
  ],
  ['about maintenance', page('<title>Maintenance plans for your heating</title><p>Hi')],
  [
    'with an error message in its text',
    page(`<title>Clinic</title><p>Access denied. ${'We sell shoes. '.repeat(20)}`),
  ],
  ['about an error', page(`<title>502 Bad Gateway</title><p>${'What it means. '.repeat(90)}`)],
  ['that says not found', page('<title>404 Not Found</title><h1>Not Found</h1>')],
  [
    'of an application whose scripts are elsewhere',
    page('<div id=root></div><script src="https://cdn.example/a.js"></script>'),
  ],
  ['with data for search engines', page('<p>Hi<script type="application/ld+json">{}</script>')],
  [
    'with little text and links into the site',
    page('<a href=/de/>Deutsch</a> <a href=/en/>English</a><script>count()</script>'),
  ],
  ['of a JSON API', page('{"errors":[]}', { headers: [['content-type', 'application/json']] })],
  ['with a login', page('<input type=password>', { headers: [['refresh', '5']] })],
])('does not treat a page %s as a stand-in', (_, answer) => {
  expect([standInReason(answer), unbuiltReason(answer)]).toEqual([null, null]);
});

it.each([
  'We’ll be back soon!',
  'Coming Soon',
  'This site is under construction',
  'Please try again later.',
  'Sorry, something went wrong.',
  'Server is too busy',
  'You are being rate limited',
  'Unusual traffic from your network',
  'Please complete the captcha to go on',
  'This account has been suspended',
  'Verify that you are human',
  'You are now in line',
  'Wartungsarbeiten: wir sind gleich wieder da',
  'Zu viele Anfragen',
  'Zugriff verweigert',
  'Site en maintenance',
  'Accès refusé',
  'Sitio en mantenimiento',
  'Acceso denegado',
  'Sito in manutenzione',
  'Em manutenção',
  'Przerwa techniczna',
  'Сайт на реконструкции',
  'Проверка браузера',
  '网站维护中',
  '安全验证',
  'メンテナンス中です',
  '서버 점검 중',
  'الموقع قيد الصيانة',
  'Bakım çalışması',
])('treats a page with only “%s” as a stand-in', words => {
  const assets = '<link rel=stylesheet href=/m.css><img src=/logo.svg alt="">';
  for (const title of ['Clinic', words]) {
    expect(standInReason(page(`<title>${title}</title>${assets}<h1>${words}</h1>`)), title).not.toBeNull();
  }
  // On a page with links into the site, the same words are its topic.
  const menu = '<a href=/a>A</a><a href=/b>B</a><a href=/c>C</a>';
  expect(standInReason(page(`<title>Clinic</title>${menu}<h1>${words}</h1>`))).toBeNull();
});

it.each([
  ['F5', '<script src="/TSPD/08a2?type=8"></script><noscript>Your support ID is: 123.</noscript>'],
  ['Imperva', '<script src="/_Incapsula_Resource?SWJIYLWA=5074"></script><body></body>'],
  ['testcookie', '<script src="/aes.js"></script><script>document.cookie="__test=1"</script>'],
  ['cdnfly', '<script src="/_guard/auto.js"></script>'],
  ['SafeLine', '<script src="/.safeline/static/challenge.js"></script>'],
  ['haproxy-protection', '<script src="/.basedflare/js/challenge.js"></script>'],
  ['a widget', '<p>One more step</p><script src=/own.js></script><div class="h-captcha"></div>'],
  [
    'text for browsers without scripts',
    '<script src=/a.js></script><noscript>Enable it to view the page content</noscript>',
  ],
])('treats a challenge with a script from the same host as a stand-in: %s', (_, body) => {
  expect(standInReason(page(`<html><head><title></title></head>${body}</html>`))).toMatch(/bot protection/);
});

it.each([
  '403 Main Street Dental',
  '500 Club Restaurant',
  'One Moment in Time Photography',
  'Forbidden City Tours',
  'Blocked Drains Leeds',
  'Access Denied Security GmbH',
  'Maintenance',
])('does not treat a page titled “%s” with links into its site as a stand-in', title => {
  const menu = '<nav><a href=/about>About</a> <a href=/prices>Prices</a> <a href=/contact>Contact</a></nav>';
  expect(standInReason(page(`<title>${title}</title>${menu}<p>Welcome to us.`))).toBeNull();
});

it.each([
  'You need to enable JavaScript to run this app.',
  'We’re sorry but shop doesn’t work properly without JavaScript enabled. Please enable it to continue.',
])('does not treat an application that requires scripts as a challenge: %s', words => {
  const app = `<title>Shop</title><div id=root></div><script src=/app.js></script><noscript>${words}</noscript>`;
  expect(standInReason(page(app))).toBeNull();
});
