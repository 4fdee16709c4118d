import type { Assessment } from '../../../captures/assessment.ts';
import type { PageScript, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, home, notSeen, pageWith, response, seen } from '../hardened-capture.ts';
import { secretsChecks } from './checks.ts';
import { b64, hex, jwt, pem } from './planted/random.ts';
import {
  awsId,
  awsSecret,
  googleKey,
  kindOfEachCheck,
  planted,
  stripeLive,
  supabaseAnon,
} from './planted.ts';

const origin = 'https://portal.example.com';
const scripts = (bodies: Readonly<Record<string, string>>): Assessment<readonly PageScript[]> =>
  seen(
    Object.entries(bodies).map(([path, body]) => ({
      url: origin + path,
      response: seen(response(origin + path, { body })),
    })),
  );
const script = (body: string, path = '/assets/app.js') => captureWith({ scripts: scripts({ [path]: body }) });
const page = (body: string) => pageWith({ body: `<!doctype html><html><body>${body}</body></html>` });
const all = Object.values(secretsChecks).map(({ id }) => id);

/** Text that resembles secrets. */
const harmless: readonly (readonly [name: string, text: string])[] = [
  ['Stripe’s publishable key', `Stripe("${stripeLive.replace('sk_', 'pk_')}")`],
  [
    'Supabase’s anon and publishable keys',
    `createClient(u,"${supabaseAnon}");k="sb_publishable_${awsSecret.replace(/\W/g, 'a').slice(0, 31)}"`,
  ],
  [
    'a guest’s session',
    `window.__session="${jwt({ sub: 'guest', role: 'anonymous', aud: 'service_role' })}"`,
  ],
  [
    'text that resembles a JSON Web Token',
    'x="eyJhbGciOiJub25lIn0.eyJub3QganNvbg.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
  ],
  [
    'Mapbox’s public token',
    `mapboxgl.accessToken="pk.${jwt({ u: 'clinic' }).split('.').slice(1).join('.')}"`,
  ],
  [
    'Sentry’s addresses',
    'dsn:"https://0123456789abcdef0123456789abcdef@o123.ingest.sentry.io/1",old:"https://9f8e7d6c5b4a39281706:1a0b9c8d7e6f5a4b@sentry.io/42"',
  ],
  [
    'AWS’s example key',
    `id="${['AKIAIOSFODNN7', 'EXAMPLE'].join('')}",secret="${['wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'EXAMPLEKEY'].join('')}"`,
  ],
  [
    'presigned URLs',
    `<img src="https://b.s3.amazonaws.com/a.png?X-Amz-Algorithm=AWS4-HMAC-SHA256&amp;X-Amz-Credential=${awsId}%2F20261121%2Fus-east-1%2Fs3%2Faws4_request&amp;X-Amz-Signature=0a1b"><img src="https://b.s3.amazonaws.com/b.png?AWSAccessKeyId=${awsId}&amp;Signature=abc%3D&amp;Expires=1795262400">`,
  ],
  [
    'a form for uploads to S3',
    `<form><input name="AWSAccessKeyId" value="${awsId}"><input name="policy" value="eyJ"><input name="signature" value="abc="></form>`,
  ],
  [
    'Firebase’s configuration',
    `firebase.initializeApp({apiKey:"${googleKey}",authDomain:"clinic.firebaseapp.com",projectId:"clinic"})`,
  ],
  [
    'a loader of Google Maps',
    `<script src="https://maps.googleapis.com/maps/api/js?key=${googleKey}&callback=init"></script>`,
  ],
  [
    'placeholders',
    'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx sk_live_1234567890abcdefghijklmn sk_live_YOUR_SECRET_KEY AKIAXXXXXXXXXXXXXXXX ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa xoxb-123456789012-abcdefghijklmnopqrstuvwx SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  ],
  ['a GitHub token with a wrong checksum', planted['github-token']!.text.replace('0mLq17', '0mLq18')],
  [
    'the example of Slack’s documentation',
    `https://hooks.slack.com/services/${['T00000000', 'B00000000', 'XXXXXXXXXXXXXXXXXXXXXXXX'].join('/')}`,
  ],
  [
    'local and example URLs',
    'postgres://postgres:postgres@localhost:5432/app postgresql://user:password@db.portal-clinic.net/app mysql://root:f83Kd02xQ@127.0.0.1/app mongodb+srv://<user>:<password>@cluster0.abcde.mongodb.net redis://:p4kD93mf@redis:6379 postgres://app:Zk39dkW@db:5432/app postgres://app:Zk39dkW@db.example.com/app',
  ],
  [
    'URL templates',
    `const u="https://\${user}:\${password}@api.portal-clinic.net";v="https://"+a+":"+b+"@api.portal-clinic.net"`,
  ],
  [
    'URLs without a password',
    'https://fonts.googleapis.com/css2?family=Inter:wght@400;700 https://git@github.com/a/b https://user@host.net https://cdn.net/npm/a@1:2@3',
  ],
  [
    'code that reads and writes PEM',
    'var a="-----BEGIN PRIVATE KEY-----\\n"+btoa(e)+"\\n-----END PRIVATE KEY-----";if(k.startsWith("-----BEGIN RSA PRIVATE KEY-----"))throw 1',
  ],
  ['a public key and a certificate', `${pem('PUBLIC KEY')}\n${pem('CERTIFICATE')}`],
  [
    'a shortened key in documentation',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw...\n-----END PRIVATE KEY-----',
  ],
  [
    'patterns of a scanner',
    'r=[/AKIA[0-9A-Z]{16}/,/sk_live_[0-9a-zA-Z]{24}/,/ghp_[A-Za-z0-9]{36}/,/-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/]',
  ],
  [
    'words that start like tokens',
    '.sk-circle{}.task-list{} npm_config_registry key-value SG.x hf_ dapi AC0123456789abcdef EAAAAAAAAAAAAA',
  ],
  [
    'an image as text',
    `<img src="data:image/png;base64,${Buffer.from(pem('X', 'image')).toString('base64')}">`,
  ],
  [
    'code that copies the parts of a URL',
    'var url=state(this),scheme=url.scheme,username=url.username,password=url.password,host=url.host,port=url.port;',
  ],
  ['words with a digit', "exports.CONFLUENCE_CREDENTIAL_NAME = 'confluenceCloudOAuth2Api';"],
  ['embedded data', `"base64,${b64('wasm', 200)}/EAAB${'0Xb9aKq7'.repeat(30)}"`],
  [
    'logins of documentation',
    'mysql://scott:tiger@hostname2/test http://login-on-proxy:passwd-on-proxy@proxy-host.com <user username="test" password="chang3m3N#w"/>',
  ],
  ['a Twilio account without its token', planted['twilio-token']!.text.split(',')[0]!],
  [
    'the key of every local Supabase project',
    `service_role key: ${jwt({ iss: 'supabase-demo', role: 'service_role', exp: 1_983_812_996 })} Secret key: sb_secret_${['N7UND0UgjKTVK', 'Uodkm0Hg_xSvEMPvz'].join('-')}`,
  ],
  [
    'database connection strings with tutorial passwords',
    'postgres://app:s3cr3t@10.0.0.5:5432/app mysql://root:changeme@db.internal.clinic.net/app postgres://app_user:app_password@db.clinic.net/app https://deploy:tk93Lq0z@pypi.company.com/simple',
  ],
  [
    'Basic authentication in documentation, of a client without a secret, and from variables',
    `{Authorization:"Basic ${Buffer.from('aladdin:opensesame').toString('base64')}"} Authorization: Basic ${Buffer.from('s6BhdRkqt3:gX1fBat3bV').toString('base64')} Authorization: Basic ${Buffer.from('portal-spa:').toString('base64')} headers.Authorization="Basic "+btoa(u+":"+p) Basic ${Buffer.from('user:password').toString('base64')} Basic understanding of authorization`,
  ],
  [
    'public keys in JSON, including one with a member that resembles a private one',
    `{"keys":[{"kty":"RSA","n":"${awsSecret.replace(/\W/g, 'a').repeat(8)}","e":"AQAB","kid":"${awsSecret.replace(/\W/g, 'a')}"}]},{d:"${awsSecret.replace(/\W/g, 'a')}"}`,
  ],
  [
    'keys that are meant for browsers',
    `Algolia("BH4D9OD16A","0123456789abcdef0123456789abcde1") datadogRum.init({clientToken:"pub0123456789abcdef0123456789abcdef"}) NRJS-0123456789abcdef012 pk_test_${awsSecret.replace(/\W/g, 'a').slice(0, 24)} phc_${awsSecret.replace(/\W/g, 'a')} grecaptcha 6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI`,
  ],
  [
    'the storage emulator’s key',
    'AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  ],
];

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'a source map, and a style sheet that was not read',
    capture: captureWith({
      texts: seen([
        { url: `${origin}/app.js.map`, name: 'src/pay.ts', text: seen(`const key = "${stripeLive}";`) },
        { url: `${origin}/app.css`, name: null, text: notSeen() },
      ]),
    }),
    expected: [{ check: 'secrets.payment_key', locator: `stripe-live-key ${origin}/app.js.map` }],
    notAssessed: all,
  },
  ...Object.entries(kindOfEachCheck).map(([kind, check]) => ({
    name: `${kind} in a script`,
    capture: script(planted[kind]!.text, '/assets/index-BxYz12_a.js?v=2'),
    expected: [{ check, locator: `${kind} ${origin}/assets/index-*.js` }],
  })),
  {
    name: 'in a script within the page, in an attribute, and in JSON with escaped slashes',
    capture: page(
      `<script>var k="${stripeLive}"</script>
      <div data-config="{&quot;token&quot;:&quot;${planted['npm-token']!.secret}&quot;}"></div>
      <script type="application/json">${JSON.stringify({ url: planted['database-url']!.secret, hook: planted['slack-webhook']!.secret, key: pem('RSA PRIVATE KEY') }).replaceAll('/', '\\/')}</script>`,
    ),
    expected: [
      { check: 'secrets.payment_key', locator: `stripe-live-key ${home}` },
      { check: 'secrets.api_token', locator: `npm-token ${home}` },
      { check: 'secrets.database_url', locator: `database-url ${home}` },
      { check: 'secrets.webhook_url', locator: `slack-webhook ${home}` },
      { check: 'secrets.private_key', locator: `private-key ${home}` },
    ],
  },
  {
    name: 'one kind several times in one place, and in two places',
    capture: captureWith({
      scripts: scripts({
        '/a.js': `"${stripeLive}","${stripeLive.slice(0, -1)}Z"`,
        '/b.js': `"${stripeLive}"`,
      }),
    }),
    expected: [
      { check: 'secrets.payment_key', locator: `stripe-live-key ${origin}/a.js` },
      { check: 'secrets.payment_key', locator: `stripe-live-key ${origin}/b.js` },
    ],
  },
  {
    name: 'an encrypted key in the old format',
    capture: script(pem('RSA PRIVATE KEY', 'old', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B')),
    expected: [{ check: 'secrets.private_key', locator: `encrypted-private-key ${origin}/assets/app.js` }],
  },
  {
    name: 'an AWS secret after an escaped slash, and an ID alone',
    capture: captureWith({
      scripts: scripts({
        '/a.js': `{"key":"${awsId}","secret":"${awsSecret.slice(0, 20)}\\/${awsSecret.slice(21)}"}`,
        '/b.js': `{"key":"${awsId}","commit":"0123456789abcdef0123456789abcdef01234567"}`,
      }),
    }),
    expected: [
      { check: 'secrets.cloud_key', locator: `aws-key-pair ${origin}/a.js` },
      { check: 'secrets.cloud_key', locator: `aws-key-id ${origin}/b.js` },
    ],
  },
  {
    name: 'a setting in a sample of code',
    capture: page(
      `<meta name="generator" content="Docutils 0.19"><pre><code>SECRET_KEY = "${hex('sample', 64)}"</code></pre>`,
    ),
    expected: [],
  },
  {
    name: 'a setting in what a program printed',
    capture: page(`<pre>[SECRET_KEY] => SECRET_KEY = "${hex('sample', 64)}"</pre>`),
    expected: [{ check: 'secrets.likely_secret', locator: `named-secret ${home}` }],
  },
  {
    name: 'a setting in the text of documentation',
    capture: page(
      `<meta name="generator" content="Docutils 0.19"><code>A</code> SECRET_KEY = "${hex('sample', 64)}" <pre>B</pre>`,
    ),
    expected: [{ check: 'secrets.likely_secret', locator: `named-secret ${home}` }],
  },
  ...harmless.map(([name, text]) => ({ name: `harmless: ${name}`, capture: page(text), expected: [] })),
  {
    name: 'harmless: all of it in one script',
    capture: script(
      harmless
        .map(([, text]) => text)
        .filter(text => !text.includes('AKIA'))
        .join('\n'.repeat(400)),
    ),
    expected: [],
  },
  {
    name: 'an unread page with a script that was read',
    capture: captureWith({ page: notSeen(), scripts: scripts({ '/a.js': planted['npm-token']!.text }) }),
    expected: ['secrets.api_token'],
    notAssessed: all,
  },
  {
    name: 'unread scripts',
    capture: captureWith({ scripts: notSeen() }),
    expected: [],
    notAssessed: all,
  },
  {
    name: 'a script beyond the limits, and one that was cut off',
    capture: captureWith({
      scripts: seen([
        { url: `${origin}/a.js`, response: notSeen() },
        {
          url: `${origin}/b.js`,
          response: seen(response(`${origin}/b.js`, { body: `"${stripeLive}"`, body_truncated: true })),
        },
      ]),
    }),
    expected: ['secrets.payment_key'],
    notAssessed: all,
  },
  {
    name: 'a page that was cut off',
    capture: pageWith({ body_truncated: true }),
    expected: [],
    notAssessed: all,
  },
  { name: 'an error page', capture: pageWith({ status: 503 }), expected: [], notAssessed: all },
];
