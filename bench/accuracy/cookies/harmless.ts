import { base64, hard, type Row, token } from './row.ts';

const good: readonly string[] = [];

export const harmless: readonly Row[] = [
  ['no cookies', [], good],
  ['a hardened session', '__Host-session={mixed:43}; Path=/; Secure; HttpOnly; SameSite=Strict', good],
  ['a session for embedding', 'sid={mixed:43}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned', good],
  [
    'a session that is being deleted',
    [
      'PHPSESSID=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/',
      'remember_token=; path=/',
    ],
    good,
  ],
  [
    'Google Analytics',
    [
      '_ga=GA1.2.1479284651.1795262400; path=/; expires=Tue, 30-Nov-2027 08:00:00 GMT; domain=.clinic.com',
      '_gid=GA1.2.{digits:9}.1795262400; path=/',
      '_gcl_au=1.1.{digits:9}.1795262400',
    ],
    good,
  ],
  [
    'consent',
    [
      'CookieConsent={stamp:%27-1%27}; path=/; secure',
      'OptanonConsent=isGpcEnabled=0&datestamp=x&consentId={hex:32}; path=/; domain=.clinic.com',
      'cookie_consent_session=1; path=/',
    ],
    good,
  ],
  [
    'tokens against request forgery',
    [
      'XSRF-TOKEN={mixed:64}; path=/',
      'csrftoken={text:64}; Path=/; SameSite=Lax',
      '_csrf={mixed:24}; path=/; HttpOnly',
      '.AspNetCore.Antiforgery.a1B2c3D4e5F=CfDJ8{mixed:150}; path=/; samesite=strict; httponly',
    ],
    good,
  ],
  [
    'load balancers of AWS',
    [
      'AWSALB={mixed:110}; Expires=Sun, 06 Dec 2026 08:00:00 GMT; Path=/',
      'AWSALBCORS={mixed:110}; Expires=Sun, 06 Dec 2026 08:00:00 GMT; Path=/; SameSite=None; Secure',
    ],
    good,
  ],
  [
    'load balancers of Azure',
    [
      'ARRAffinity={hex:64};Path=/;HttpOnly;Domain=portal.clinic.com',
      'ARRAffinitySameSite={hex:64};Path=/;HttpOnly;SameSite=None;Secure',
      'ApplicationGatewayAffinity={hex:32}; Path=/',
    ],
    good,
  ],
  [
    'load balancers of F5, Citrix and Google',
    [
      'BIGipServer~prod~portal=rd5o00000000000000000000ffff0a{hex:6}o443; path=/; Httponly; Secure',
      'TS01{hex:6}={hex:100}; Path=/; HttpOnly',
      'NSC_portal_vs={hex:60}; path=/; httponly',
      'GCLB="{hex:16}"; path=/; HttpOnly',
    ],
    good,
  ],
  [
    'load balancers of Kubernetes',
    [
      'INGRESSCOOKIE=1795262400.123.456.{digits:6}|{hex:32}; Path=/; HttpOnly',
      'route=1795262400.{digits:3}.38.{digits:6}; Path=/; HttpOnly',
    ],
    good,
  ],
  [
    'Cloudflare',
    [
      '__cf_bm={mixed:43}-1795262400-1.0.1.1-{mixed:80}; path=/; expires=Sun, 29-Nov-26 08:30:00 GMT; HttpOnly; Secure',
      '_cfuvid={mixed:43}-1795262400123-0.0.1.1-604800000; path=/; HttpOnly',
      '__cflb={mixed:44}; HttpOnly; path=/',
    ],
    good,
  ],
  [
    'Imperva and Akamai',
    [
      'visid_incap_2681345={mixed:60}; expires=Sun, 28 Nov 2027 08:00:00 GMT; HttpOnly; path=/',
      'incap_ses_1234_2681345={mixed:60}; path=/',
      'nlbi_2681345={mixed:40}; path=/; HttpOnly',
      'ak_bmsc={hex:120}; path=/; HttpOnly',
      'bm_sz={hex:120}~{digits:7}; Path=/',
    ],
    good,
  ],
  [
    'firewalls against bots',
    [
      'datadome={mixed:90}; Max-Age=31536000; Path=/; Secure; SameSite=Lax',
      '__ddg1_={text:20}; path=/; HttpOnly',
      'reese84={mixed:120}; path=/',
    ],
    good,
  ],
  [
    'WordPress',
    [
      'wordpress_test_cookie=WP%20Cookie%20check; path=/; secure; HttpOnly',
      'wp-wpml_current_language=de; path=/',
      'woocommerce_cart_hash={hex:32}; path=/',
      'tk_ai={mixed:24}; path=/',
    ],
    good,
  ],
  [
    'a shop',
    [
      '_shopify_y={hex:32}; path=/; SameSite=Lax',
      '_shopify_s={hex:32}; path=/',
      'cart={mixed:32}; path=/; HttpOnly',
      'cart_currency=EUR; path=/',
      'form_key={mixed:16}; path=/',
    ],
    good,
  ],
  [
    'languages, themes and tests',
    [
      'NEXT_LOCALE=de; Path=/',
      'theme=dark',
      'django_language=de; Path=/',
      '.AspNetCore.Culture=c%3Dde-DE%7Cuic%3Dde-DE; path=/',
      'ab_test_session=B; path=/',
      'PLAY_LANG=de; Path=/; HttpOnly',
    ],
    good,
  ],
  [
    'messages and temporary data',
    [
      'messages=W1siX19qc29uX21lc3NhZ2Ui{mixed:60}:{mixed:43}; HttpOnly; Path=/',
      '.AspNetCore.Mvc.CookieTempDataProvider=CfDJ8{mixed:150}; path=/; samesite=lax; httponly',
      'flash={mixed:60}; Path=/; HttpOnly',
    ],
    good,
  ],
  ['encrypted preferences of Laravel', 'appearance=eyJpdiI6{mixed:180}; path=/; httponly', good],
  [
    'visitors of statistics',
    [
      'visitor_id={hex:32}; path=/; HttpOnly',
      'uid={digits:18}; path=/; HttpOnly',
      'vuid=pl{digits:9}.{digits:9}; path=/',
      '_pk_ses.1.1fff=1; path=/',
      'ajs_anonymous_id={hex:32}; path=/',
    ],
    good,
  ],
  [
    'facts about sessions',
    [
      'session_start=1; path=/',
      'session_timeout=1800; path=/',
      'auth_provider=saml; path=/',
      'auth_redirect=%2Fportal; path=/; HttpOnly',
      'session_exists=true; path=/',
      'MyChartLocale=de-DE; path=/',
    ],
    good,
  ],
  [
    'a signed token',
    `ticket=${token({ alg: 'HS256' }, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')}; ${hard}`,
    good,
  ],
  [
    'a signed object of cookie-session',
    [`clinic=${base64({ role: 'guest', user: 'guest' })}; ${hard}`, `clinic.sig={mixed:27}; ${hard}`],
    good,
  ],
  [
    'preferences in JSON',
    [
      `prefs=${encodeURIComponent('{"theme":"dark","columns":["user","role"]}')}; path=/`,
      `filter=${base64({ role: null, user: '' })}; path=/`,
      'user_type=b2b; path=/',
      'admin_bar=hidden; path=/',
      'user=; path=/',
    ],
    good,
  ],
  [
    'nobody',
    [
      'user_id=Guest; path=/',
      'full_name=Guest; path=/',
      'system_user=no; path=/',
      'username=anonymous; path=/',
    ],
    good,
  ],
];
