import { describe, expect, it } from 'vitest';
import { checksAboveLow } from '../../../test/support/above-low.ts';
import type { HttpResponse, PageScript, WebsiteCapture } from '../../captures/website.ts';
import { detectorsFor } from '../catalogue.ts';
import {
  captureWith,
  exposureWith,
  headersWith,
  home,
  navigation,
  plainHome,
  redirect,
  response,
  seen,
} from './hardened-capture.ts';
import { jwt } from './secrets/planted/random.ts';
import { googleKey, stripeLive, supabaseAnon } from './secrets/planted.ts';

/**
 * Typical real sites in good order: a finding above `low` is a false alarm unless it is listed here. Their
 * headers are those of the named frameworks and services.
 */
interface HealthySite {
  readonly name: string;
  readonly capture: WebsiteCapture;
  /** The correct findings above `low`, once each. */
  readonly expected?: readonly string[];
}

type Headers = Parameters<typeof headersWith>[0];

function site(
  headers: Headers,
  body: string,
  more: Partial<WebsiteCapture> & { status?: number; scripts?: never } = {},
  scripts: Record<string, string> = {},
): WebsiteCapture {
  const { status = 200, ...changes } = more;
  const page = response(home, { headers: headersWith(headers), body, status });
  const own: PageScript[] = Object.entries(scripts).map(([path, text]) => ({
    url: new URL(path, home).href,
    response: seen(
      response(new URL(path, home).href, { body: text, headers: [['content-type', 'text/javascript']] }),
    ),
  }));
  return captureWith({ page: seen(page), https: navigation(page), scripts: seen(own), ...changes });
}

const strict =
  "script-src 'nonce-r4nd0mR4nd0mR4nd0m' 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";
/** Removes all headers that scanners check. */
const nothingSet = {
  'strict-transport-security': null,
  'content-security-policy': null,
  'x-content-type-options': null,
  'referrer-policy': null,
  'permissions-policy': null,
  'cross-origin-opener-policy': null,
  'cross-origin-embedder-policy': null,
  'cross-origin-resource-policy': null,
};
const footer =
  '<footer><a href="/">Home</a><a href="/about">About</a><a href="/contact">Contact</a><a href="/privacy">Privacy policy</a></footer>';

const sites: readonly HealthySite[] = [
  {
    name: 'Next.js on Vercel behind Cloudflare',
    capture: site(
      {
        server: 'cloudflare',
        'x-powered-by': 'Next.js',
        'x-vercel-cache': 'HIT',
        'x-vercel-id': 'fra1::iad1::abcde-1795262400000-0123456789ab',
        age: '0',
        via: '1.1 vegur',
        vary: 'RSC, Next-Router-State-Tree',
        'cache-control': 'public, max-age=0, must-revalidate',
        'content-security-policy': strict,
        'set-cookie': [
          '__cf_bm=abc.def-1795262400-1.0.1.1-xyz; path=/; expires=Sat, 21-Nov-26 16:00:00 GMT; domain=.example.com; HttpOnly; Secure; SameSite=None',
          '_cfuvid=abc; path=/; domain=.example.com; HttpOnly; Secure; SameSite=None',
          'NEXT_LOCALE=de; Path=/',
          'AWSALB=abc; Expires=Sat, 28 Nov 2026 08:00:00 GMT; Path=/',
          'AWSALBCORS=abc; Expires=Sat, 28 Nov 2026 08:00:00 GMT; Path=/; SameSite=None; Secure',
        ],
      },
      `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><link rel="preload" href="/_next/static/media/inter.woff2" as="font" crossorigin=""/><link rel="stylesheet" href="/_next/static/css/0a1b2c3d4e5f6a7b.css" data-precedence="next"/><script src="/_next/static/chunks/main-app-0123456789abcdef.js" async="" nonce=""></script><script src="https://js.stripe.com/v3/" async=""></script></head><body><div id="__next">Welcome</div>${footer}<script nonce="">(self.__next_f=self.__next_f||[]).push([0])</script><script nonce="">self.__next_f.push([1,"{\\"env\\":{\\"NEXT_PUBLIC_STRIPE\\":\\"${stripeLive.replace('sk_', 'pk_')}\\",\\"NEXT_PUBLIC_SUPABASE_ANON_KEY\\":\\"${supabaseAnon}\\",\\"NEXT_PUBLIC_SENTRY_DSN\\":\\"https://0123456789abcdef0123456789abcdef@o450.ingest.us.sentry.io/450\\"}}"])</script></body></html>`,
      {},
      {
        '/_next/static/chunks/main-app-0123456789abcdef.js': `const u="https://abcdefghijklmnopqrst.supabase.co",k="${supabaseAnon}";let t={apiKey:"${googleKey}",authDomain:"x.firebaseapp.com",projectId:"x"};window.next={version:"16.3.0",appDir:!0};algoliasearch("BH4D9OD16A","0123456789abcdef0123456789abcde1")`,
      },
    ),
  },
  {
    name: 'WordPress with WP Rocket',
    capture: site(
      {
        server: 'nginx',
        'content-security-policy': 'upgrade-insecure-requests',
        'x-frame-options': 'SAMEORIGIN',
        link: '<https://portal.example.com/wp-json/>; rel="https://api.w.org/"',
        'set-cookie':
          'pll_language=fr; expires=Sun, 21-Nov-2027 08:00:00 GMT; Max-Age=31536000; path=/; secure; SameSite=Lax',
        'cache-control': 'max-age=0, public',
      },
      `<!DOCTYPE html><html lang="fr-FR"><head><meta charset="UTF-8"><meta name="generator" content="WordPress 6.8.3" /><link rel='stylesheet' id='x-css' href='https://portal.example.com/wp-content/themes/x/style.css?ver=1.2' media='all' /><link href='https://fonts.googleapis.com/css2?family=Inter:wght@400;700&display=swap' rel='stylesheet'><link href="https://fonts.gstatic.com" crossorigin rel="preconnect"></head><body>Bonjour<a href="http://www.hospital-partner.fr/page">partenaire</a><a href="/politique-de-confidentialite/">Politique de confidentialité</a><a href="/a">a</a><a href="/b">b</a><script type="rocketlazyloadscript" data-rocket-type="text/javascript" data-rocket-src="https://portal.example.com/wp-includes/js/jquery/jquery.min.js?ver=3.7.1" id="jquery-core-js"></script><script>var rocket_lcp_data = {"ajax_url":"https:\\/\\/portal.example.com\\/wp-admin\\/admin-ajax.php","nonce":"01ab23cd45"}</script></body></html>`,
    ),
    expected: ['csp.missing'],
  },
  {
    name: 'Hugo on GitHub Pages',
    capture: site(
      {
        server: 'GitHub.com',
        'content-security-policy': null,
        'x-frame-options': null,
        'access-control-allow-origin': '*',
        'permissions-policy': null,
        'referrer-policy': null,
        'x-content-type-options': null,
        'cross-origin-opener-policy': null,
        'cross-origin-embedder-policy': null,
        'cross-origin-resource-policy': null,
        'cache-control': 'max-age=600',
        'x-proxy-cache': 'MISS',
        'x-github-request-id': 'A1B2:3C4D',
        via: '1.1 varnish',
        'x-served-by': 'cache-fra-etou8220123-FRA',
        'x-fastly-request-id': '0123456789abcdef',
      },
      `<!doctype html><html lang=en><head><meta charset=utf-8><meta name=generator content="Hugo 0.151.0"><link rel=stylesheet href=/css/main.min.css integrity="sha256-abc="></head><body><h1>Notes</h1>${footer}</body></html>`,
    ),
    expected: ['csp.missing', 'headers.framing_unrestricted'],
  },
  {
    name: 'Rails with importmap and a nonce',
    capture: site(
      {
        'content-security-policy':
          "default-src 'self' https:; font-src 'self' https: data:; img-src 'self' https: data:; object-src 'none'; script-src 'self' 'nonce-0123456789abcdef0123456789abcdef'; style-src 'self' https:; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
        'x-frame-options': 'SAMEORIGIN',
        'x-xss-protection': '0',
        'x-permitted-cross-domain-policies': 'none',
        'x-request-id': '2f6ab8e9-0c1d-4e2f-8a3b-4c5d6e7f8091',
        'x-runtime': '0.012345',
        etag: 'W/"abc"',
        'cache-control': 'max-age=0, private, must-revalidate',
        'set-cookie': '_portal_session=abc%3D%3D--def; path=/; secure; HttpOnly; SameSite=Lax',
      },
      `<!DOCTYPE html><html><head><title>Portal</title><meta name="csrf-token" content="Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4" /><script type="importmap" data-turbo-track="reload" nonce="0123">{"imports":{"application":"/assets/application-0a1b2c.js","@hotwired/turbo-rails":"/assets/turbo.min-1a2b.js"}}</script><script type="module" nonce="0123">import "application"</script></head><body><form action="/session" method="post"><input type="email" name="email_address"><input type="password" name="password"></form>${footer}</body></html>`,
    ),
  },
  {
    name: 'ASP.NET Core',
    capture: site(
      {
        server: 'Kestrel',
        'set-cookie': [
          '.AspNetCore.Antiforgery.9fXoN5jHCXs=CfDJ8; path=/; samesite=strict; httponly',
          '.AspNetCore.Culture=c%3Dde%7Cuic%3Dde; path=/',
          'ARRAffinity=0123;Path=/;HttpOnly;Secure;Domain=portal.example.com',
          'ARRAffinitySameSite=0123;Path=/;HttpOnly;SameSite=None;Secure;Domain=portal.example.com',
          'ai_user=abc|2026-11-21; path=/',
          'ai_session=abc|1795262400|1795262400; path=/',
        ],
        'cache-control': 'no-cache, no-store',
        pragma: 'no-cache',
      },
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8" /></head><body><form method="post" action="/Account/Login"><input name="__RequestVerificationToken" type="hidden" value="CfDJ8KZ0" /><input type="password" name="Input.Password"></form>${footer}</body></html>`,
    ),
  },
  {
    name: 'Django',
    capture: site(
      {
        server: 'gunicorn',
        'x-frame-options': 'DENY',
        vary: 'Cookie, Accept-Language',
        'content-language': 'de',
        'set-cookie': [
          'csrftoken=abcdefgh; expires=Sat, 20 Nov 2027 08:00:00 GMT; Max-Age=31449600; Path=/; SameSite=Lax; Secure',
          'sessionid=abc; HttpOnly; Path=/; SameSite=Lax; Secure',
          'django_language=de; Path=/; SameSite=Lax',
          'messages=abc; HttpOnly; Path=/; SameSite=Lax; Secure',
        ],
        'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
      },
      `<!DOCTYPE html><html lang="de"><body><form method="post"><input type="hidden" name="csrfmiddlewaretoken" value="abc"><input name="username"><input type="password" name="password"></form><a href="/datenschutz">Datenschutzerklärung</a><a href="/impressum">Impressum</a><a href="/hilfe">Hilfe</a></body></html>`,
    ),
  },
  {
    name: 'the login page of Keycloak',
    capture: site(
      {
        server: null,
        'content-security-policy': "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
        'x-frame-options': 'SAMEORIGIN',
        'x-robots-tag': 'none',
        'cache-control': 'no-store, must-revalidate, max-age=0',
        'set-cookie': [
          'AUTH_SESSION_ID=abc;Version=1;Path=/realms/clinic/;Secure;HttpOnly;SameSite=None',
          'KC_AUTH_SESSION_HASH="abc";Version=1;Path=/realms/clinic/;Max-Age=60;Secure;SameSite=Strict',
          'KC_RESTART=eyJhbGciOiJkaXIi;Version=1;Path=/realms/clinic/;Secure;HttpOnly;SameSite=None',
          'KEYCLOAK_SESSION=abc;Version=1;Path=/realms/clinic/;Max-Age=36000;Secure;SameSite=None',
        ],
      },
      `<!DOCTYPE html><html class="login-pf"><head><meta charset="utf-8"><script src="/resources/abc12/login/keycloak.v2/js/menu-button-links.js" type="module"></script><script type="importmap">{"imports":{"rfc4648":"/resources/abc12/common/keycloak/vendor/rfc4648/rfc4648.js"}}</script></head><body><form id="kc-form-login" action="https://portal.example.com/realms/clinic/login-actions/authenticate?session_code=abcdefghijklmnop&amp;execution=0b1c2d3e-0000-4000-8000-000000000000&amp;client_id=account&amp;tab_id=AbCdEf" method="post"><input id="username" name="username" type="text" autocomplete="username"><input id="password" name="password" type="password"></form><a href="/realms/clinic/login-actions/reset-credentials?client_id=account&amp;tab_id=x">Passwort vergessen?</a></body></html>`,
    ),
    expected: ['csp.missing_directive'],
  },
  {
    name: 'a React application that returns 200 for every path',
    capture: site(
      {},
      '<!doctype html><html lang="en"><head><meta charset="utf-8"/><script type="module" crossorigin src="/assets/index-DkX3a9Qz.js"></script></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>',
      {
        exposure: exposureWith(
          Object.fromEntries(
            [
              '/.env',
              '/.git/config',
              '/.git/HEAD',
              '/backup.zip',
              '/backup.sql',
              '/actuator',
              '/actuator/env',
              '/phpinfo.php',
              '/.DS_Store',
              '/swagger-ui/index.html',
              '/openapi.json',
              '/crossdomain.xml',
              '/server.key',
              '/id_rsa',
            ].map(path => [
              path,
              {
                status: 200,
                headers: [['content-type', 'text/html']] as const,
                body: '<!doctype html><html><div id="root"></div></html>',
              },
            ]),
          ),
          { status: 200, body: '<!doctype html><html><div id="root"></div></html>' },
        ),
      },
      {
        '/assets/index-DkX3a9Qz.js':
          'const a="http://localhost:3000/api";fetch("/api/session");const e=new Error("at x (a.js:1:2)");',
      },
    ),
  },
  {
    name: 'documentation with example keys, traces, dumps and private addresses',
    capture: site(
      {},
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Index of / and other titles</title></head><body><h1>Index of topics</h1>
<p>Put <code>AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE</code> and <code>sk_test_4eC39HqLyjWDarjtT1zdp7dc</code> into <code>.env</code>, or <code>postgres://user:password@db.example.com/app</code> or <code>postgres://app:${'s3cr3t'}@10.0.0.5:5432/app</code>.</p>
<pre>Traceback (most recent call last):\n  File "/app/x.py", line 3, in &lt;module&gt;\nValueError</pre><pre>java.lang.NullPointerException\n\tat org.example.Main.main(Main.java:12)</pre><pre><b>Warning</b>: Undefined variable $x in <b>/var/www/html/index.php</b> on line <b>3</b></pre>
<pre>-- MySQL dump 10.13\nCREATE TABLE patients (ssn varchar(11));\nINSERT INTO patients VALUES (1);</pre>
<pre>-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----</pre>
<pre>supabase status\nservice_role key: ${jwt({ iss: 'supabase-demo', role: 'service_role', exp: 1_983_812_996 })}</pre>
<pre>http://192.168.1.10:8080 and 10.0.0.5</pre><p>fbq('init', '123') loads https://connect.facebook.net/en_US/fbevents.js</p>
<p>Set-Cookie: JSESSIONID=abc; https://portal.example.com/a;jsessionid=0123456789ABCDEF</p>${footer}</body></html>`,
    ),
  },
  {
    name: 'the portal of a hospital in German',
    capture: site(
      {
        'content-security-policy': strict,
        'set-cookie': [
          'MyChartLocale=de-DE; path=/; secure; HttpOnly',
          'CookieConsent=-2; path=/; secure',
          'cookie_consent_session=1; path=/; secure',
          'BIGipServerpool_portal=!abc; path=/; Httponly; Secure',
          'TS01a2b3c4=0123; Path=/; Domain=.portal.example.com; Secure; HTTPOnly',
          'LastMRH_Session=0a1b2c3d;path=/;secure',
          'fe_typo_lang=0; path=/; secure; HttpOnly',
        ],
      },
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><script nonce="x" type="text/plain" data-category="statistics" src="https://klinik.matomo.cloud/matomo.js"></script><script nonce="x" id="usercentrics-cmp" src="https://app.usercentrics.eu/browser-ui/latest/loader.js" data-settings-id="x" async></script></head><body><form action="/suche" method="get"><input name="q"><select name="fachbereich"></select></form><form action="/termin" method="post"><input name="vorname"><input name="nachname"><input name="geburtsdatum"><input type="email" name="email"><input type="tel" name="telefon"></form><a href="/de/datenschutz/">Datenschutz</a><a href="/impressum">Impressum</a><a href="/patienten/diagnostik?abteilung=kardiologie">Diagnostik</a><iframe src="https://www.google.com/maps/embed?pb=x"></iframe></body></html>`,
    ),
  },
  {
    name: 'a site behind Basic authentication',
    capture: site(
      {
        ...nothingSet,
        'www-authenticate': 'Basic realm="Restricted"',
        server: 'nginx',
      },
      '<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body>\r\n<center><h1>401 Authorization Required</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
      { status: 401 },
    ),
  },
  {
    name: 'a bot challenge',
    capture: site(
      {
        'strict-transport-security': null,
        server: 'cloudflare',
        'cf-mitigated': 'challenge',
        'content-security-policy':
          "default-src 'none'; script-src 'nonce-x' 'unsafe-eval' https://challenges.cloudflare.com; base-uri 'self'",
        'x-frame-options': 'SAMEORIGIN',
      },
      '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="refresh" content="360"></head><body><script nonce="x">(function(){window._cf_chl_opt={cvId:"3"}})()</script></body></html>',
      { status: 403 },
    ),
  },
  ...[
    {
      name: 'AWS WAF, with status 202',
      status: 202,
      headers: { 'x-amzn-waf-action': 'challenge' },
      body: '<!DOCTYPE html><script>window.awsWafCookieDomainList = [];</script><script src="https://0a1b.edge.sdk.awswaf.com/0a1b/challenge.js"></script>',
    },
    {
      name: 'Imperva, with status 200',
      status: 200,
      headers: { 'set-cookie': ['visid_incap_1=a; path=/', 'incap_ses_1=a; path=/'] },
      body: '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=0"></iframe></body></html>',
    },
  ].map(({ name, status, headers, body }) => ({
    name: `a challenge of ${name}`,
    capture: site({ ...nothingSet, ...headers }, body, { status }),
  })),
  {
    name: 'a host that only redirects to another site',
    capture: captureWith({
      page: { assessed: false, reason: 'The site sends visitors to another one.' },
      https: seen({
        served: true,
        responses: [
          {
            ...redirect(home, 'https://www.example.net/'),
            headers: [
              ['location', 'https://www.example.net/'],
              ['strict-transport-security', 'max-age=31536000'],
            ],
          },
        ],
        stopped: 'other_site',
      }),
      http: seen({
        served: true,
        responses: [redirect(plainHome, 'https://www.example.net/')],
        stopped: 'other_site',
      }),
      scripts: { assessed: false, reason: 'The site sends visitors to another one.' },
      cors: { assessed: false, reason: 'The site sends visitors to another one.' },
    }),
  },
  {
    name: 'an API host that returns JSON',
    capture: site(
      {
        'content-type': 'application/json',
        'content-security-policy': null,
        'referrer-policy': null,
        'permissions-policy': null,
        'cross-origin-opener-policy': null,
        'cross-origin-resource-policy': null,
        'cross-origin-embedder-policy': null,
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
      },
      '{"name":"api","version":"1.2.3","documentation_url":"https://docs.example.com","server":"10.1.2.3"}',
    ),
  },
  {
    name: 'an API host whose root path does not exist',
    capture: site(
      {
        'content-type': 'application/json',
        'strict-transport-security': null,
        'content-security-policy': null,
        'referrer-policy': null,
        'permissions-policy': null,
        'cross-origin-opener-policy': null,
        'cross-origin-resource-policy': null,
        'cross-origin-embedder-policy': null,
      },
      '{"message":"no Route matched with those values"}',
      { status: 404 },
    ),
  },
  {
    name: 'consent before trackers; payment, maps and captcha on an allowlist',
    capture: site(
      {
        'content-security-policy':
          "default-src 'self'; script-src 'self' https://js.stripe.com https://www.gstatic.com/recaptcha/ https://www.google.com/recaptcha/ https://challenges.cloudflare.com https://consent.cookiebot.com 'report-sample' 'wasm-unsafe-eval'; img-src * data: blob: http://images.partner.example; connect-src 'self' https: wss: http://127.0.0.1:9222; style-src 'self' 'unsafe-inline' https://fonts.googleapis.com; font-src https://fonts.gstatic.com data:; frame-src https://js.stripe.com https://www.google.com; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'; report-uri http://reports.example.com/r; upgrade-insecure-requests",
      },
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><script id="Cookiebot" src="https://consent.cookiebot.com/uc.js" data-cbid="x" async></script><script src="https://js.stripe.com/v3/"></script><script src="https://www.google.com/recaptcha/api.js?render=6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI"></script><link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter"></head><body>${footer}</body></html>`,
    ),
  },
  {
    name: 'a compressed soft 404 for every path, and one that changes with each request',
    capture: site({}, `<!doctype html>${footer}`, {
      exposure: exposureWith(
        Object.fromEntries(
          ['/backup.zip', '/backup.tar.gz', '/.env', '/.git/HEAD', '/server.key'].map((path, index) => [
            path,
            { status: 200, body: `\x1f\x8b\x08\0${index}` },
          ]),
        ),
        { status: 200, body: '\x1f\x8b\x08\0x' },
      ),
    }),
  },
  {
    name: 'a file with public settings, and nginx’s status page: to be fixed, but no alarm',
    capture: site({}, `<!doctype html>${footer}`, {
      exposure: exposureWith({
        '/.env.production': { status: 200, body: 'VITE_API=https://api.example.com\nNODE_ENV=production\n' },
        '/nginx_status': { status: 200, body: 'Active connections: 2 \nserver accepts handled requests\n' },
      }),
    }),
  },
  {
    name: 'a site builder with a shop',
    capture: site(
      {
        'set-cookie': [
          '_shopify_y=a; path=/; SameSite=Lax',
          '_shopify_s=a; path=/',
          'cart_currency=EUR; path=/',
          'secure_customer_sig=; path=/; HttpOnly; secure',
          'localization=DE; path=/',
        ],
        'content-security-policy':
          'block-all-mixed-content; frame-ancestors *; upgrade-insecure-requests; report-uri /csp',
        'x-frame-options': 'DENY',
      },
      `<!doctype html><html><head><meta charset="utf-8"><script src="https://cdn.shopify.com/shopifycloud/storefront/assets/a.js" defer></script><script src="https://static.parastorage.com/services/b.js"></script></head><body>${footer}</body></html>`,
    ),
    expected: ['csp.missing', 'headers.framing_unrestricted'],
  },
  {
    name: 'a site under a top-level domain that browsers load over HTTPS only',
    capture: (() => {
      const url = 'https://portal.clinic.dev/';
      const page = response(url, { headers: headersWith({ 'strict-transport-security': null }) });
      return captureWith({
        site: { hostname: 'portal.clinic.dev', is_address: false, path: '/', https_port: 443, http_port: 80 },
        page: seen(page),
        https: navigation(page),
      });
    })(),
  },
  {
    name: 'a site at an IP address with a certificate for it',
    capture: (() => {
      const page: HttpResponse = response('https://192.0.2.10/', {
        headers: headersWith({ 'strict-transport-security': null }),
      });
      return captureWith({
        requested_host: '192.0.2.10',
        site: { hostname: '192.0.2.10', is_address: true, path: '/', https_port: 443, http_port: 80 },
        page: seen(page),
        https: navigation(page),
        domain: seen(null),
      });
    })(),
  },
];

describe('healthy sites', () => {
  it.each(sites)('$name', ({ capture, expected = [] }) => {
    expect(checksAboveLow(detectorsFor('website'), capture)).toEqual([...expected].sort());
  });
});
