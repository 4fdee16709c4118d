import {
  b62,
  b64,
  b64u,
  hex,
  jwt,
  pem,
  random,
  uuid,
} from '../../../../src/detectors/website/secrets/planted/random.ts';

/** What belongs into pages, and what only resembles a secret. */
export type Public = readonly [name: string, code: string];

const day = 86_400;
const now = Math.floor(Date.now() / 1_000);
const google = `AIza${b64u('public google', 35)}`;
const aws = `AKIA${random('public aws', 'b32', 16)}`;

export const publicTexts: readonly Public[] = [
  ['Stripe’s publishable key', `Stripe("pk_live_51${b62('public stripe', 97)}")`],
  ['the client secret of one payment', `{clientSecret:"pi_3${b62('pi', 23)}_secret_${b62('pis', 25)}"}`],
  ['a checkout session', `stripe.redirectToCheckout({sessionId:"cs_live_${b62('cs', 60)}"})`],
  [
    'a manual with an example of a key file',
    `<h2>Key files</h2>${'<p>The file contains one or more private keys. Each key is followed by its certificate chain. See <code>tls_key_file</code>.</p>'.repeat(60)}<pre>${pem('PRIVATE KEY')}\n-----BEGIN CERTIFICATE-----</pre>`,
  ],
  [
    'Supabase’s publishable key in a header',
    `fetch(u,{headers:{Authorization:"Bearer sb_publishable_${b64u('sb', 22)}_${b64u('sb sum', 8)}"}})`,
  ],
  [
    'Slack tokens without their secret',
    `t="xoxp-${random('sl', 'digit', 12)}-${random('sm', 'digit', 12)}-${random('sn', 'digit', 12)}-####################"`,
  ],
  ['an icon with a hash in its name', `<img src="/media/box.ico-${hex('icon', 32)}.png" alt="Box">`],
  [
    'Firebase',
    `initializeApp({apiKey:"${google}",authDomain:"clinic.firebaseapp.com",projectId:"clinic",storageBucket:"clinic.appspot.com",messagingSenderId:"${random('fb', 'digit', 12)}",appId:"1:${random('fa', 'digit', 12)}:web:${hex('fb', 22)}"})`,
  ],
  ['Google Maps', `loadScript("https://maps.googleapis.com/maps/api/js?key=${google}&libraries=places")`],
  [
    'Sentry',
    `Sentry.init({dsn:"https://${hex('dsn', 32)}@o${random('o', 'digit', 6)}.ingest.us.sentry.io/${random('p', 'digit', 16)}"})`,
  ],
  ['reCAPTCHA', `grecaptcha.render("c",{sitekey:"6L${b62('rc', 38)}"})`],
  ['Turnstile', `turnstile.render("#c",{sitekey:"0x4AAAAAAA${b62('ts', 14)}"})`],
  ['hCaptcha', `{hcaptchaSiteKey:"${uuid('hc')}"}`],
  ['Algolia’s search key', `algoliasearch("${random('al', 'upper', 10)}","${hex('algolia', 32)}")`],
  [
    'Mapbox’s public token',
    `mapboxgl.accessToken="pk.${Buffer.from(`{"u":"clinic","a":"${b62('mb', 24)}"}`).toString('base64')}.${b64u('mb2', 22)}"`,
  ],
  [
    'Supabase’s anon key',
    `createClient(u,"${jwt({ iss: 'supabase', ref: 'abcdefghijklmnopqrst', role: 'anon', iat: now, exp: now + 3_600 * day })}")`,
  ],
  ['Supabase’s publishable key', `createClient(u,"sb_publishable_${b64u('sbp', 22)}_${b64u('s', 8)}")`],
  ['PostHog', `posthog.init("phc_${b62('ph', 43)}",{api_host:"https://eu.posthog.com"})`],
  [
    'Datadog',
    `datadogRum.init({applicationId:"${uuid('dd')}",clientToken:"pub${hex('ddt', 32)}",site:"datadoghq.eu"})`,
  ],
  [
    'New Relic',
    `NREUM.info={licenseKey:"NRJS-${hex('nr', 19)}",applicationID:"${random('nra', 'digit', 9)}"}`,
  ],
  ['Amplitude', `amplitude.init("${hex('amp', 32)}")`],
  ['Segment', `analytics.load("${b62('seg', 32)}")`],
  ['Mixpanel', `mixpanel.init("${hex('mp', 32)}",{debug:!1})`],
  ['Intercom', `{intercomAppId:"${random('ic', 'lower', 8)}",user_hash:"${hex('ich', 64)}"}`],
  ['LaunchDarkly’s client ID', `LDClient.initialize("${hex('ld', 24)}",{key:"user"})`],
  ['Pusher', `new Pusher("${hex('pu', 20)}",{cluster:"eu"})`],
  ['PubNub', `new PubNub({publishKey:"pub-c-${uuid('pn')}",subscribeKey:"sub-c-${uuid('ps')}"})`],
  ['Contentful delivery', `createClient({space:"${b62('cs', 12)}",accessToken:"${b64u('cda', 43)}"})`],
  ['Auth0', `createAuth0Client({domain:"clinic.eu.auth0.com",client_id:"${b62('a0', 32)}"})`],
  [
    'Cognito',
    `{userPoolId:"eu-west-1_${b62('up', 9)}",userPoolWebClientId:"${random('wc', 'lower', 26)}",identityPoolId:"eu-west-1:${uuid('ip')}"}`,
  ],
  [
    'AppSync',
    `{aws_appsync_apiKey:"da2-${random('as', 'lower', 26)}",aws_appsync_authenticationType:"API_KEY"}`,
  ],
  [
    'Clerk and PayPal',
    `{clerk:"pk_live_${Buffer.from('clerk.clinic.com$').toString('base64')}",paypal:"A${b64u('pp', 79)}"}`,
  ],
  [
    'Google’s client ID',
    `google.accounts.id.initialize({client_id:"${random('g', 'digit', 12)}-${random('gc', 'lower', 32)}.apps.googleusercontent.com"})`,
  ],
  ['a key for push messages', `{vapidPublicKey:"B${b64u('vapid', 86)}"}`],
  [
    'a presigned URL of S3',
    `<img src="https://b.s3.eu-west-1.amazonaws.com/a.png?X-Amz-Algorithm=AWS4-HMAC-SHA256&amp;X-Amz-Credential=${aws}%2F20261121%2Feu-west-1%2Fs3%2Faws4_request&amp;X-Amz-Date=20261121T120000Z&amp;X-Amz-Expires=3600&amp;X-Amz-Signature=${hex('sig', 64)}">`,
  ],
  [
    'a signed link to one file of Azure',
    `"https://clinicfiles.blob.core.windows.net/pub/a.pdf?sv=2023-11-03&sr=b&sp=r&se=${new Date((now + 90 * day) * 1_000).toISOString()}&sig=${b62('sas', 43)}%3D"`,
  ],
  [
    'an expired signature of Azure',
    '"https://clinicfiles.blob.core.windows.net/scans?sv=2020-08-04&sr=c&sp=racwdl&se=2023-01-01T00:00:00Z&sig=YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY%3D"',
  ],
  [
    'a session of a visitor',
    `window.__session="${jwt({ sub: 'guest', role: 'anonymous', iat: now, exp: now + 3_600 })}"`,
  ],
  ['a session of a person', `{idToken:"${jwt({ sub: '81', role: 'admin', iat: now, exp: now + 3_600 })}"}`],
  [
    'an expired token',
    `{token:"${jwt({ sub: '81', role: 'admin', iat: now - 900 * day, exp: now - 800 * day })}"}`,
  ],
  [
    'Cesium’s token',
    `Cesium.Ion.defaultAccessToken="${jwt({ jti: uuid('ce'), id: 1_234, iat: now - 300 * day })}"`,
  ],
  [
    'a license of an editor',
    `{licenseKey:"${jwt({ exp: now + 300 * day, jti: uuid('ck'), distributionChannel: ['cloud'], features: ['DRUP'] })}"}`,
  ],
  [
    'jwt.io’s example',
    `{example:"${jwt({ sub: '1234567890', name: 'John Doe', admin: true, iat: 1_516_239_022 })}"}`,
  ],
  ['public keys', `{"keys":[{"kty":"RSA","n":"${b64u('n', 342)}","e":"AQAB","kid":"${b64u('kid', 43)}"}]}`],
  ['a public key and a certificate', `${pem('PUBLIC KEY')}\n${pem('CERTIFICATE')}`],
  [
    'code that writes keys',
    'e="-----BEGIN PRIVATE KEY-----\\n"+btoa(t).match(/.{1,64}/g).join("\\n")+"\\n-----END PRIVATE KEY-----"',
  ],
  [
    'a shortened key in documentation',
    '<pre>-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAuyf/lNrH9ck8DmNyo3fGgvCI1l9s+cmBY3WIz+cUDqmxiieR\n...\n-----END RSA PRIVATE KEY-----</pre>',
  ],
  [
    'the example keys of AWS',
    `<code>aws_access_key_id = ${['AKIAIOSFODNN7', 'EXAMPLE'].join('')}\naws_secret_access_key = ${['wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'EXAMPLEKEY'].join('')}</code>`,
  ],
  [
    'a tutorial with placeholders',
    '<pre>STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx\nOPENAI_API_KEY=sk-proj-YOUR_KEY_HERE\nGITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nDATABASE_URL=postgres://user:password@localhost:5432/db</pre>',
  ],
  [
    'a form with a placeholder',
    '<input type="password" name="api_key" placeholder="sk-ant-api03-…"><input placeholder="ghp_1234567890abcdefghijklmnopqrstuvwxyz">',
  ],
  [
    'patterns of a scanner',
    'r=[/AKIA[0-9A-Z]{16}/,/sk_live_[0-9a-zA-Z]{24,}/,/ghp_[A-Za-z0-9]{36}/,/xox[baprs]-[0-9a-zA-Z-]+/,/AIza[0-9A-Za-z\\-_]{35}/]',
  ],
  [
    'texts in several languages',
    '{password:"Passwort",newPassword:"Neues Passwort (min. 8 Zeichen, 1 Zahl)",secret:"Geheimnis",token:"Code aus der App",passwordError:"Das Passwort123 ist zu schwach"}',
  ],
  [
    'rules of a password field',
    '{password:{minLength:12,pattern:"^(?=.*[A-Z])(?=.*[0-9]).{8,}$",message:"passwordTooWeak"}}',
  ],
  [
    'names of fields',
    'e.append("client_secret",t.clientSecret),e.append("password",t.password),{type:"password",secretOrKey:n.secret}',
  ],
  [
    'integrity values',
    `<link rel="modulepreload" href="/assets/a.js" integrity="sha384-${b64('sri', 64)}">{"integrity":"sha512-${b64('sri2', 86)}=="}`,
  ],
  [
    'hashes of chunks',
    `n.u=e=>({179:"${hex('c1', 20)}",412:"${hex('c2', 20)}"}[e]+".js");e.exports={hash:"${hex('c3', 32)}",contenthash:"${hex('c4', 40)}"}`,
  ],
  ['IDs', `{id:"${uuid('u1')}",tenant:"${uuid('u2')}",secretId:"${uuid('u3')}",tokenId:"${hex('tid', 24)}"}`],
  [
    'a token against forgery',
    `<meta name="csrf-token" content="${b64('csrf', 86)}=="><input name="__RequestVerificationToken" value="CfDJ8${b64u('rvt', 150)}">`,
  ],
  ['a nonce', `<script nonce="${b64('nonce', 22)}==">window.a=1</script>`],
  ['an image as text', `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${b64('png', 400)}">`],
  ['a hash of a password', `{hash:"$2b$10$${b62('bcrypt', 53)}",algorithm:"bcrypt"}`],
  [
    'class names',
    '<div class="sk-circle-fade-dot sk_password_field_0 key-value-pairs-container-large"></div>',
  ],
  [
    'a template of a URL',
    'const u=`https://$'.concat('{e}:$', '{t}@registry.clinic.com/`,d="postgres://"+e+":"+t+"@"+n'),
  ],
  [
    'a local database',
    'DATABASE_URL=postgres://postgres:Zk39dkWq@localhost:5432/app REDIS_URL=redis://:p4kD93mf@redis:6379',
  ],
  [
    'a URL with a version and a mail address',
    'https://cdn.jsdelivr.net/npm/vue@3.4.21/dist/vue.js https://medium.com/@clinic/a:b mailto:info@clinic.com',
  ],
  [
    'a connection string without values',
    '"Server={0};Database={1};User Id={2};Password={3};" "Data Source=.;Initial Catalog=a;Integrated Security=True"',
  ],
  [
    'a private key that a program asks for',
    '{privateKey:process.env.PRIVATE_KEY,secretKey:void 0,password:"",passphrase:null,apiSecret:"undefined"}',
  ],
  [
    'a URL for forms',
    `fetch("https://hooks.zapier.com/hooks/catch/1234821/${b62('zap', 7)}/",{method:"POST",body:e})`,
  ],
];
