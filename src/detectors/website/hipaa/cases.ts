import type { HttpResponse, PageScript, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  captureWith,
  headersWith,
  home,
  navigation,
  notSeen,
  pageWith,
  plainHome,
  response,
  seen,
} from '../hardened-capture.ts';

const origin = 'https://portal.example.com';
/** Not assessed in scans without a credential. */
const noLogIn = ['hipaa.authenticated_page_cacheable'];
const ofDocument = [
  'hipaa.health_terms_in_url',
  'hipaa.no_privacy_notice',
  'hipaa.session_replay',
  'hipaa.tracker',
  'hipaa.tracker_in_script',
];

const footer =
  '<a href="/">Home</a><a href="/contact">Contact</a><a href="/jobs">Jobs</a><a href="/privacy">Privacy</a>';
const document = (content: string) =>
  `<!doctype html><html lang="en"><head><title>Portal</title></head><body>${content}${footer}</body></html>`;
const body = (content: string) => pageWith({ body: document(content) });
const own = (path: string, code: string): PageScript => ({
  url: `${origin}${path}`,
  response: seen(
    response(`${origin}${path}`, { headers: [['content-type', 'text/javascript']], body: code }),
  ),
});
const withScripts = (...scripts: PageScript[]) => captureWith({ ...body(''), scripts: seen(scripts) });
const links = (...paths: string[]) =>
  pageWith({ body: `<!doctype html>${paths.map(path => `<a href="${path}">Go</a>`).join('')}` });
const linksWith = (content: string) =>
  pageWith({ body: `<!doctype html><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a>${content}` });
const plainPage = (content: string): WebsiteCapture => {
  const page: HttpResponse = response(plainHome, { body: document(content) });
  const nothing = seen({ served: false, responses: [], stopped: null });
  return captureWith({ page: seen(page), http: navigation(page), https: nothing });
};

const metaSnippet = `<script>!function(f,b,e,v){/*…*/}(window,document,'script',
  'https://connect.facebook.net/en_US/fbevents.js');fbq("init", "0000000000");</script>
  <noscript><img src="https://www.facebook.com/tr?id=0000000000&ev=PageView&noscript=1"></noscript>`;
const tagManagerSnippet = `<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':
  new Date().getTime(),event:'gtm.js'});})(window,document,'script','dataLayer','GTM-0000');</script>
  <noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-0000"></iframe></noscript>`;

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [], notAssessed: noLogIn },
  { name: 'a page with a footer', capture: body('Hello'), expected: [], notAssessed: noLogIn },

  {
    name: 'Meta’s snippet and pixel, which are one tracker',
    capture: body(metaSnippet),
    expected: [{ check: 'hipaa.tracker', locator: `${origin} meta` }],
    notAssessed: noLogIn,
  },
  {
    name: 'Google’s products, which are one vendor',
    capture: body(
      `<script async src="https://www.googletagmanager.com/gtag/js?id=G-0000"></script>
       <script>gtag('config', 'G-0000');</script>${tagManagerSnippet}
       <img src="https://googleads.g.doubleclick.net/pagead/viewthroughconversion/0/">`,
    ),
    expected: [{ check: 'hipaa.tracker', locator: `${origin} google` }],
    notAssessed: noLogIn,
  },
  {
    name: 'pixels and scripts of other vendors',
    capture: body(
      `<script src="https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=0"></script>
       <script src="https://snap.licdn.com/li.lms-analytics/insight.min.js"></script>
       <script src="//bat.bing.com/bat.js"></script>
       <img src="https://t.co/i/adsct?p_id=0"><img src="https://ct.pinterest.com/v3/?tid=0">
       <script>snaptr("init", "0");</script><script>rdt('init','t2_0');</script>
       <script src="https://assets.adobedtm.com/launch-0.min.js"></script>`,
    ),
    expected: ['tiktok', 'linkedin', 'bing', 'x', 'pinterest', 'adobe', 'snapchat', 'reddit'].map(vendor => ({
      check: 'hipaa.tracker',
      locator: `${origin} ${vendor}`,
    })),
    notAssessed: noLogIn,
  },
  {
    name: 'a tracker behind a consent tool',
    capture: body(
      '<script type="text/plain" data-cookieconsent="statistics" src="https://www.googletagmanager.com/gtag/js"></script>',
    ),
    expected: [{ check: 'hipaa.tracker', locator: `${origin} google` }],
    notAssessed: noLogIn,
  },
  {
    name: 'trackers delayed by a cache plugin',
    capture: body(
      `<script type="rocketlazyloadscript" data-rocket-type="text/javascript" data-rocket-src="https://www.googletagmanager.com/gtag/js?id=G-0"></script>
       <script type="rocketlazyloadscript">fbq('init','0')</script>
       <script type="litespeed/javascript" data-src="https://static.hotjar.com/c/hotjar-0.js"></script>
       <script type="0a1b2c-text/javascript" src="https://snap.licdn.com/li.lms-analytics/insight.min.js"></script>
       <script type="text/partytown">ttq.load('C0')</script>`,
    ),
    expected: [
      { check: 'hipaa.tracker', locator: `${origin} google` },
      { check: 'hipaa.session_replay', locator: `${origin} hotjar` },
      { check: 'hipaa.tracker', locator: `${origin} linkedin` },
      { check: 'hipaa.tracker', locator: `${origin} meta` },
      { check: 'hipaa.tracker', locator: `${origin} tiktok` },
    ],
    notAssessed: noLogIn,
  },
  {
    name: 'snippets and URLs that a consent tool blocks',
    capture: body(
      `<script type="text/plain" data-category="analytics">gtag('config', 'G-0');</script>
       <script type="text/plain" data-name="meta" data-src="https://connect.facebook.net/fr_FR/fbevents.js"></script>
       <script type="text/plain" data-cmplz-src="https://cdn.callrail.com/companies/0/swap.js"></script>
       <script type="didomi/javascript" data-vendor="c:hotjar">snaptr('init', '0');</script>`,
    ),
    expected: ['meta', 'callrail', 'google', 'snapchat'].map(key => ({
      check: 'hipaa.tracker',
      locator: `${origin} ${key}`,
    })),
    notAssessed: noLogIn,
  },
  {
    name: 'templates and notes in scripts that do not run',
    capture: body(
      `<script type="text/template"><script src="https://static.hotjar.com/c/hotjar-0.js"></script>
       <script type="text/plain">Remember to ask about analytics.</script><script type="text/plain" class="language-javascript">gtag('config', 'G-0');</script><script type="application/ld+json">{"@type":"Hospital"}</script>`,
    ),
    expected: [],
    notAssessed: noLogIn,
  },
  {
    name: 'fonts, maps, captchas, videos, share buttons and error reports, which are not trackers',
    capture: body(
      `<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">
       <script src="https://maps.googleapis.com/maps/api/js"></script>
       <script src="https://www.google.com/recaptcha/api.js"></script>
       <script src="https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js"></script>
       <iframe src="https://www.youtube-nocookie.com/embed/0"></iframe>
       <img src="https://www.facebook.com/images/fb_icon.png"><script src="https://js.stripe.com/v3/"></script>
       <script src="https://browser.sentry-cdn.com/8.0.0/bundle.min.js"></script>
       <a href="https://www.facebook.com/tr">Follow us</a><a href="https://t.co/abc">Short link</a>`,
    ),
    expected: [],
    notAssessed: noLogIn,
  },
  {
    name: 'an article about trackers, and a policy that names them',
    capture: pageWith({
      headers: headersWith({
        'content-security-policy': "script-src 'self'; connect-src https://www.google-analytics.com",
      }),
      body: document(
        `<pre>fbq('init', '0'); &lt;script src="https://connect.facebook.net/en_US/fbevents.js"&gt;</pre>
         <!-- <script src="https://static.hotjar.com/c/hotjar-0.js"></script> -->
         <script type="application/json">{"text":"gtag('config','G-0')"}</script>
         <link rel="dns-prefetch" href="https://www.google-analytics.com">`,
      ),
    }),
    expected: [],
    notAssessed: noLogIn,
  },
  {
    name: 'session replay',
    capture: body(
      `<script src="https://static.hotjar.com/c/hotjar-0.js?sv=6"></script>
       <script>(function(c,l,a,r,i,t,y){t.src="https://www.clarity.ms/tag/"+i;})(window,document,"clarity","script","0");</script>
       <script src="https://browser.sentry-cdn.com/8.0.0/bundle.tracing.replay.min.js"></script>`,
    ),
    expected: ['hotjar', 'sentry', 'clarity'].map(vendor => ({
      check: 'hipaa.session_replay',
      locator: `${origin} ${vendor}`,
    })),
    notAssessed: noLogIn,
  },
  {
    name: 'a bundle that loads two trackers',
    capture: withScripts(
      own('/app.js', 'var a="https://www.googletagmanager.com/gtag/js?id=".concat(e);LogRocket.init("x/y");'),
    ),
    expected: [
      { check: 'hipaa.tracker_in_script', locator: `${origin} google` },
      { check: 'hipaa.tracker_in_script', locator: `${origin} logrocket` },
    ],
    notAssessed: noLogIn,
  },
  {
    name: 'a consent tool that lists many vendors',
    capture: withScripts(
      own(
        '/tarteaucitron.services.js',
        `load('https://connect.facebook.net/en_US/fbevents.js');load('https://static.hotjar.com/c/hotjar-');
         load('https://www.googletagmanager.com/gtm.js?id=');load('https://bat.bing.com/bat.js');`,
      ),
    ),
    expected: [],
    notAssessed: [...noLogIn, 'hipaa.tracker_in_script'],
  },
  {
    name: 'a bundle that only names the host of a tracker',
    capture: withScripts(own('/app.js', 'const blocked = ["google-analytics.com", "static.hotjar.com"];')),
    expected: [],
    notAssessed: noLogIn,
  },
  {
    name: 'a bundle with a tracker that the page loads itself',
    capture: captureWith({
      ...body(metaSnippet),
      scripts: seen([own('/app.js', 'fbq("init","0")')]),
    }),
    expected: ['hipaa.tracker'],
    notAssessed: noLogIn,
  },
  {
    name: 'a script beyond the limits',
    capture: captureWith({
      ...body(''),
      scripts: seen([own('/app.js', 'ttq.load("0")'), { url: `${origin}/b.js`, response: notSeen() }]),
    }),
    expected: ['hipaa.tracker_in_script'],
    notAssessed: [...noLogIn, 'hipaa.tracker_in_script'],
  },

  {
    name: 'health and identity data in URLs',
    capture: body(
      `<a href="/results?patient_id=4711&amp;tab=labs">Results</a><a href="/a?filter[dob]=1980-01-01">A</a>
       <img src="https://cdn.example/pixel?Diagnosis=E11"><form method="get" action="/find"><input name="ssn"></form>`,
    ),
    expected: ['patientid', 'dob', 'diagnosis', 'ssn'].map(name => ({
      check: 'hipaa.health_terms_in_url',
      locator: `${origin} ${name}`,
    })),
    notAssessed: noLogIn,
  },
  {
    name: 'a page with a patient number in its own URL',
    capture: pageWith({ url: `${home}chart?mrn=4711`, body: document('') }),
    expected: [{ check: 'hipaa.health_terms_in_url', locator: `${origin} mrn` }],
    notAssessed: noLogIn,
  },
  {
    name: 'similar names, views, and forms sent by scripts or POST',
    capture: body(
      `<a href="/?patientportal=x&amp;outpatient=y&amp;condition=new&amp;provider=7&amp;id=3&amp;doberman=z">A</a>
       <a href="/?patient=new&amp;symptoms=&amp;q=diabetes&amp;tab=patient">B</a><a href="/patients?page=2">C</a>
       <form method="post" action="/save"><input name="patient_id"></form><form><input name="mrn"></form>
       <form action="/search"><input type="search" name="q"></form>`,
    ),
    expected: [],
    notAssessed: noLogIn,
  },

  {
    name: 'a patient form over plain HTTP',
    capture: plainPage(
      '<form method="post" action="/register"><input name="first_name"><input name="dob" type="date"></form>',
    ),
    expected: [
      {
        check: 'hipaa.identity_form_insecure',
        locator: `http://portal.example.com form http://portal.example.com/register`,
      },
    ],
    notAssessed: noLogIn,
  },
  {
    name: 'a form that submits an insurance number from HTTPS to plain HTTP',
    capture: body(
      '<form method="post" action="http://forms.example.com/in?x=1"><input name="insuranceNumber"></form>',
    ),
    expected: [
      { check: 'hipaa.identity_form_insecure', locator: `${origin} form http://forms.example.com/in` },
    ],
    notAssessed: noLogIn,
  },
  ...[
    '<input name="versichertennummer">',
    '<input name="vorname"><input name="nachname"><input name="geburtsdatum">',
    '<input name="nom"><input name="date_de_naissance">',
    '<input name="email"><input name="telefon">',
  ].map(fields => ({
    name: `a form in another language over plain HTTP: ${fields}`,
    capture: plainPage(`<form method="post" action="/termin">${fields}</form>`),
    expected: ['hipaa.identity_form_insecure'],
    notAssessed: noLogIn,
  })),
  {
    name: 'fields without a form, recognized by autocomplete',
    capture: plainPage('<input autocomplete="section-a email"><input autocomplete="tel" id="p">'),
    expected: ['hipaa.identity_form_insecure'],
    notAssessed: noLogIn,
  },
  {
    name: 'a plain HTTP page beside HTTPS',
    capture: captureWith({
      http: navigation(
        response(plainHome, { body: document('<form><input type="email"><input type="tel"></form>') }),
      ),
    }),
    expected: ['hipaa.identity_form_insecure'],
    notAssessed: noLogIn,
  },
  {
    name: 'search, login, newsletter and age forms over plain HTTP, and mail',
    capture: plainPage(
      `<form method="post" action="/search"><input type="search" name="ssn"></form>
       <form method="post"><input name="email"><input type="password" name="password"></form>
       <form method="post" action="/newsletter"><input name="name"><input type="email"></form>
       <form method="post" action="/age"><input name="birthdate"></form>
       <form method="post" action="mailto:us@example.com"><input name="ssn"></form>
       <form method="post" action="/save"><input type="hidden" name="ssn"></form>`,
    ),
    expected: [],
    notAssessed: noLogIn,
  },
  {
    name: 'a patient form over HTTPS',
    capture: body('<form method="post" action="/register"><input name="ssn"><input name="dob"></form>'),
    expected: [],
    notAssessed: noLogIn,
  },

  {
    name: 'no privacy notice on a page without personal data',
    capture: links('/', '/contact', '/imprint', '/jobs'),
    expected: [{ check: 'hipaa.no_privacy_notice', locator: origin, severity: 'info' }],
    notAssessed: noLogIn,
  },
  ...[
    '<input type="email" name="newsletter">',
    '<input type="password" name="p">',
    '<input name="firstName">',
    '<input type="tel" name="t">',
  ].map(field => ({
    name: `no privacy notice with ${field}`,
    capture: linksWith(`<form method="post">${field}</form>`),
    expected: [{ check: 'hipaa.no_privacy_notice', locator: origin, severity: 'low' as const }],
    notAssessed: noLogIn,
  })),
  {
    name: 'no privacy notice on a page with a search',
    capture: linksWith('<form><input type="search" name="q"></form>'),
    expected: [{ check: 'hipaa.no_privacy_notice', locator: origin, severity: 'info' }],
    notAssessed: noLogIn,
  },
  ...[
    ['/legal/privacy-policy', 'Legal'],
    ['/legal#datenschutz', 'Rechtliches'],
    ['/p/17', 'Notice of Privacy Practices'],
    ['/p/17', 'Política de privacidad'],
    ['/p/17', 'Politique de confidentialité'],
    ['/p/17', 'Protection des données'],
    ['/dsgvo', 'Rechtliches'],
    ['/proteccion-de-datos', 'Aviso'],
    ['/p/17', 'Politika ochrany osobních údajů'],
    ['/p/17', 'プライバシーポリシー'],
    ['/p/17', '개인정보처리방침'],
    ['/p/17', 'Политика конфиденциальности'],
    ['/p/17', 'Πολιτική απορρήτου'],
    ['/%D7%9E%D7%93%D7%99%D7%A0%D7%99%D7%95%D7%AA-%D7%A4%D7%A8%D7%98%D7%99%D7%95%D7%AA', 'x'],
    ['/%E9%9A%90%E7%A7%81', 'x'],
    ['/%zz', '<img alt="Privacy">'],
  ].map(([path, text]) => ({
    name: `a privacy notice: ${path} ${text}`,
    capture: pageWith({
      body: `<!doctype html><a href="/">A</a><a href="/b">B</a><a href="/c">C</a><a href="${path}">${text}</a>`,
    }),
    expected: [],
    notAssessed: noLogIn,
  })),
  {
    name: 'a page built by scripts',
    capture: pageWith({ body: '<!doctype html><div id="root"></div><script src="/app.js"></script>' }),
    expected: [],
    notAssessed: ['hipaa.no_privacy_notice', ...noLogIn],
  },
  {
    name: 'a bare login page',
    capture: pageWith({ body: '<!doctype html><form method="post"><a href="/forgot">Forgot?</a></form>' }),
    expected: [],
    notAssessed: noLogIn,
  },
  {
    name: 'an API response',
    capture: pageWith({
      headers: headersWith({ 'content-type': 'application/json' }),
      body: '{"html":"<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"}',
    }),
    expected: [],
    notAssessed: [...ofDocument, 'hipaa.identity_form_insecure', ...noLogIn],
  },

  {
    name: 'a page behind the login without Cache-Control',
    capture: captureWith({
      ...pageWith({ headers: headersWith({ 'cache-control': null }) }),
      credential: 'sent',
    }),
    expected: [{ check: 'hipaa.authenticated_page_cacheable', locator: home }],
  },
  {
    name: 'a page behind the login with no-cache only',
    capture: captureWith({
      ...pageWith({ headers: headersWith({ 'cache-control': 'no-cache, max-age=0' }) }),
      credential: 'sent',
    }),
    expected: ['hipaa.authenticated_page_cacheable'],
  },
  ...['no-store', 'max-age=0, private, must-revalidate', 'No-Store, no-cache'].map(value => ({
    name: `a page behind the login with ${value}`,
    capture: captureWith({
      ...pageWith({ headers: headersWith({ 'cache-control': value }) }),
      credential: 'sent' as const,
    }),
    expected: [],
  })),
  {
    name: 'a redirect to a login page on another host',
    capture: captureWith({
      ...pageWith({ url: 'https://login.example.com/', headers: headersWith({ 'cache-control': null }) }),
      credential: 'sent',
    }),
    expected: [],
    notAssessed: noLogIn,
  },

  {
    name: 'an error page',
    capture: pageWith({ status: 404, body: document('<a href=/x>x</a>') }),
    expected: [],
    notAssessed: [...ofDocument, 'hipaa.identity_form_insecure', ...noLogIn],
  },
  {
    name: 'a page that was cut off',
    capture: pageWith({
      body: document('<script>fbq("init","0")</script>').replace(footer, ''),
      body_truncated: true,
    }),
    expected: ['hipaa.tracker'],
    notAssessed: [...ofDocument, 'hipaa.identity_form_insecure', ...noLogIn],
  },
  {
    name: 'a notice after more links than the scan keeps',
    capture: pageWith({
      body: document(Array.from({ length: 2100 }, (_, index) => `<a href="/${index}">x</a>`).join('')),
    }),
    expected: [],
    notAssessed: [...ofDocument, 'hipaa.identity_form_insecure', ...noLogIn],
  },
  {
    name: 'no page',
    capture: captureWith({ page: notSeen(), https: notSeen(), http: notSeen(), scripts: notSeen() }),
    expected: [],
    notAssessed: [...ofDocument, 'hipaa.identity_form_insecure', ...noLogIn],
  },
];
