import { createHash } from 'node:crypto';
import { formatToken } from '../../../domain/bearer-token.ts';
import { secretRules } from './find-secrets.ts';
import { b62, b64, b64u, hex, jwt, pem, random, uuid } from './planted/random.ts';
import {
  bech32,
  encodedJson,
  gitlabToken,
  grafanaToken,
  pypiToken,
  sampleOf,
  sentryToken,
  withCrc,
} from './planted/sample.ts';

/**
 * Fake secrets for the golden cases, generated on use so that repository scanners find no leak in this file. Those of rules with a
 * notation follow from it.
 */

export const awsId = `AKIA${random('aws', 'b32', 16)}`;
export const awsSecret = b64('aws secret', 40);
export const googleKey = `AIza${b64u('google', 35)}`;
export const stripeLive = `sk_live_${b62('stripe', 24)}`;
const supabase = (role: string) =>
  jwt({ iss: 'supabase', ref: 'abcdefghijklmnopqrst', role, iat: 1_700_000_000, exp: 2_015_360_000 });
export const supabaseAnon = supabase('anon');
const forever = (claims: object) => jwt({ iat: 1_760_000_000, ...claims });
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** By the rule's kind: a secret, or a secret and the script's text in which it counts. */
const written: Readonly<Record<string, string | readonly [secret: string, text: string]>> = {
  'private-key': pem('PRIVATE KEY'),
  'encrypted-private-key': pem('ENCRYPTED PRIVATE KEY'),
  'putty-key': [
    b64('putty', 64),
    `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: k\nPublic-Lines: 1\n${b64('putty public', 64)}\nPrivate-Lines: 1\n${b64('putty', 64)}\n`,
  ],
  'jwk-private-key': [
    b64u('jwk', 43),
    `{"kty":"EC","crv":"P-256","x":"${b64u('jwk x', 43)}","d":"${b64u('jwk', 43)}"}`,
  ],
  'jwk-secret-key': [b64u('oct', 43), `{"kty":"oct","alg":"HS256","k":"${b64u('oct', 43)}"}`],
  'wireguard-key': [
    `${b64('wireguard', 42)}I=`,
    `[Interface]\nPrivateKey = ${b64('wireguard', 42)}I=\nAddress = 10.0.0.2/32`,
  ],
  'age-key': bech32('age-secret-key-', 'age', 52).toUpperCase(),
  'nostr-key': bech32('nsec', 'nostr', 52),
  'aws-key-pair': [awsSecret, `{accessKeyId:"${awsId}",secretAccessKey:"${awsSecret}"}`],
  'aws-key-id': awsId,
  'azure-account-key': `AccountKey=${b64('azure', 86)}==`,
  'azure-access-key': `SharedAccessKey=${b64('bus', 43)}=`,
  'azure-client-secret': `${b64u('entra', 3)}8Q~${b64u('entra secret', 34)}`,
  'azure-app-configuration': `Endpoint=https://clinic.azconfig.io;Id=abcd-l9-s0:${b62('config', 20)};Secret=${b64('config', 43)}=`,
  'azure-redis-string': `clinic.redis.cache.windows.net:6380,password=${b64('redis', 43)}=,ssl=True`,
  'azure-sas-token': [
    b62('sas', 43),
    `https://clinic.blob.core.windows.net/files?sv=2022-11-02&ss=b&srt=co&sp=rwdl&se=2030-01-01T00:00:00Z&spr=https&sig=${b62('sas', 43)}%3D`,
  ],
  'google-api-key': googleKey,
  'google-gemini-key': [
    `AIza${b64u('gemini', 35)}`,
    `fetch("https://generativelanguage.googleapis.com/v1/models?key=AIza${b64u('gemini', 35)}")`,
  ],
  'supabase-service-role': supabase('service_role'),
  'supabase-secret-key': `sb_secret_${b64u('sb', 22)}_${b64u('sum', 8)}`,
  'kubernetes-token': forever({
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:default:deploy',
  }),
  'calendly-token': forever({ iss: 'https://auth.calendly.com', jti: uuid('calendly') }),
  'monday-token': forever({ tid: 301, uid: 4_021, per: 'me:write', actid: 3 }),
  'n8n-key': forever({ sub: uuid('n8n'), iss: 'n8n', aud: 'public-api' }),
  'pinata-key': forever({ scopedKeyKey: hex('pinata', 20), scopedKeySecret: hex('pinata secret', 64) }),
  'web3-storage-key': forever({ sub: `did:ethr:0x${hex('web3', 40)}`, iss: 'web3-storage', name: 'clinic' }),
  'turso-token': forever({ a: 'rw', id: uuid('turso') }),
  'home-assistant-token': jwt({ iss: hex('home', 32), iat: 1_700_000_000, exp: 2_015_360_000 }),
  'privileged-jwt': forever({ sub: 'ops', role: 'admin' }),
  'database-url': `postgresql://portal:${b62('db', 14)}@db.portal-clinic.net:5432/portal?sslmode=require`,
  'jdbc-url': [
    b62('jdbc', 14),
    `jdbc:mysql://db.portal-clinic.net:3306/portal?user=portal&password=${b62('jdbc', 14)}`,
  ],
  'connection-string': [
    b62('ado', 14),
    `{value:"Server=db.portal-clinic.net;Database=portal;User Id=portal;Password=${b62('ado', 14)};"}`,
  ],
  'url-password': `https://deploy:${b62('basic', 12)}@packages.portal-clinic.net/feed`,
  'basic-credential': [
    base64(`deploy:${b62('basic header', 14)}`),
    `{headers:{Authorization:"Basic ${base64(`deploy:${b62('basic header', 14)}`)}"}}`,
  ],
  'docker-registry-login': [
    base64(`deploy:${b62('registry', 14)}`),
    `{"auths":{"registry.portal-clinic.net":{"auth":"${base64(`deploy:${b62('registry', 14)}`)}"}}}`,
  ],
  'cloudinary-url': `cloudinary://${random('cloud', 'digit', 15)}:${b64u('cloudinary', 27)}@portal-clinic`,
  'stripe-live-key': stripeLive,
  'stripe-test-key': `rk_test_${b62('stripe test', 40)}`,
  // Revoked long ago, and quoted in the explanation of its checksum.
  'github-token': ['ghp_', 'zQWBuTSOoRi4A9sp', 'HcVY5ncnsDkxkJ', '0mLq17'].join(''),
  'gitlab-token': gitlabToken('glpat-', 'gitlab'),
  'npm-token': withCrc('npm_', 'npm'),
  'pypi-token': pypiToken('pypi'),
  'sentry-organization-token': sentryToken('sentry'),
  'grafana-token': grafanaToken('grafana'),
  'grafana-cloud-token': `glc_${encodedJson({ o: '1', n: 'clinic', k: b62('glc', 24), m: { r: 'eu' } })}`,
  'grafana-api-key': encodedJson({ k: b62('grafana key', 32), n: 'clinic', id: 1 }),
  'intercom-access-token': base64(`tok:${uuid('intercom').replaceAll('-', '_')}:1:0`),
  'twilio-token': [
    hex('twilio secret', 32),
    `{sid:"AC${hex('twilio', 32)}",authToken:"${hex('twilio secret', 32)}"}`,
  ],
  'twilio-api-key': [
    b62('twilio key', 32),
    `{keySid:"SK${hex('twilio sid', 32)}",apiSecret:"${b62('twilio key', 32)}"}`,
  ],
  'discord-bot-token': `${Buffer.from('1043920017765548123').toString('base64url')}.${b64u('discord', 6)}.${b64u('discord bot', 38)}`,
  'django-secret-key': `django-insecure-${b62('django', 50)}`,
  'laravel-app-key': [`${b64('laravel', 43)}=`, `APP_KEY=base64:${b64('laravel', 43)}=`],
  'telegram-bot-token': `${random('bot', 'digit', 10)}:AA${b64u('bot', 33)}`,
  'parapet-token': formatToken('dashboard', createHash('sha256').update('parapet').digest()),
  'parapet-signing-key': `svc_sign_MC4CAQAwBQYDK2VwBCIEI${b64u('signing', 43)}`,
  'slack-webhook': `https://hooks.slack.com/services/T${random('t', 'upper', 10)}/B${random('b', 'upper', 10)}/${b62('hook', 24)}`,
  'slack-workflow-webhook': `https://hooks.slack.com/triggers/T${random('t', 'upper', 10)}/${random('w', 'digit', 13)}/${hex('flow', 32)}`,
  'teams-webhook': [
    hex('teams', 32),
    `https://clinic.webhook.office.com/webhookb2/${uuid('group')}@${uuid('tenant')}/IncomingWebhook/${hex('teams', 32)}/${uuid('owner')}`,
  ],
  'power-automate-webhook': [
    b64u('flow sig', 43),
    `https://prod-12.westeurope.logic.azure.com:443/workflows/${hex('flow', 32)}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${b64u('flow sig', 43)}`,
  ],
  'discord-webhook': `https://discord.com/api/webhooks/${random('d', 'digit', 18)}/${b64u('discord', 68)}`,
  'google-chat-webhook': [
    b64u('chat token', 43),
    `https://chat.googleapis.com/v1/spaces/AAAA${b62('space', 7)}/messages?key=AIza${b64u('chat', 35)}&token=${b64u('chat token', 43)}`,
  ],
  'mattermost-webhook': `https://chat.portal-clinic.net/hooks/${random('mattermost', 'lower', 26)}`,
  'dingtalk-webhook': [
    hex('dingtalk', 64),
    `https://oapi.dingtalk.com/robot/send?access_token=${hex('dingtalk', 64)}`,
  ],
  'lark-webhook': `https://open.feishu.cn/open-apis/bot/v2/hook/${uuid('lark')}`,
  'wecom-webhook': `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${uuid('wecom')}`,
  'webex-webhook': `https://webexapis.com/v1/webhooks/incoming/${b62('webex', 76)}`,
  'chime-webhook': `https://hooks.chime.aws/incomingwebhooks/${uuid('chime')}?token=${b62('chime', 60)}`,
  'tines-webhook': `https://clinic.tines.com/webhook/${hex('tines', 32)}/${hex('tines secret', 32)}`,
  'pagerduty-webhook': [
    hex('pagerduty', 32),
    `https://events.pagerduty.com/integration/${hex('pagerduty', 32)}/enqueue`,
  ],
  'jira-webhook': [hex('jira', 40), `https://automation.atlassian.com/pro/hooks/${hex('jira', 40)}`],
  'ifttt-webhook': `https://maker.ifttt.com/trigger/door/with/key/${b64u('ifttt', 43)}`,
  'zapier-webhook': `https://hooks.zapier.com/hooks/catch/1234821/${b62('zap', 7)}`,
  'make-webhook': `https://hook.eu1.make.com/${random('make', 'lower', 32)}`,
  'pipedream-webhook': [
    random('pipe', 'lower', 12),
    `https://eo${random('pipe', 'lower', 12)}.m.pipedream.net`,
  ],
  'named-secret': [b62('named', 40), `{clientId:"portal",clientSecret:"${b62('named', 40)}"}`],
  'bearer-token': [b62('bearer', 40), `fetch(u,{headers:{Authorization:"Bearer ${b62('bearer', 40)}"}})`],
  'curl-login': [
    'k4Xv9Lq2Tz7m',
    `curl -s -u deploy:${['k4Xv9', 'Lq2Tz7m'].join('')} https://api.portal-clinic.net`,
  ],
  'named-password': [
    'k4Xv9Lq2Tz7m',
    `{host:"mail.portal-clinic.net",smtpPassword:"${['k4Xv9', 'Lq2Tz7m'].join('')}"}`,
  ],
};

/** A word near a key that names its service. */
const services: Readonly<Record<string, string>> = {
  'square-token': 'square:',
  'mailgun-key': 'mailgun:',
  'google-hmac-key': `${b64('hmac', 40)} `,
  'digitalocean-spaces-key': `${b64('spaces', 43)} `,
  'scaleway-key': `secretKey:"${uuid('scaleway')}",`,
  'exoscale-key': `secret:"${b64u('exoscale', 43)}",`,
  'akamai-token': `client_secret:"${b64('akamai', 43)}=",`,
  'column-key': 'column.com',
  'razorpay-key': `key_secret:"${b62('razorpay', 24)}",`,
};

/** The text around a key of a rule that requires a word: the one in its kind. */
function textWith(kind: string, secret: string): string {
  return `{${services[kind] ?? `${kind.split('-')[0]}:`}{value:"${secret}"}}`;
}

const generated = secretRules.flatMap(({ kind, shape, label }) => {
  if (shape === undefined) return [];
  const secret = sampleOf(shape, `${kind} sample`);
  return [
    [
      kind,
      label === undefined ? [secret, textWith(kind, secret)] : [secret, `{${label}_secret_key:"${secret}"}`],
    ] as const,
  ];
});

/** By the rule's kind: a script's text, and the secret in it. */
export const planted: Readonly<Record<string, { text: string; secret: string }>> = Object.fromEntries(
  [...generated.reverse(), ...Object.entries(written)].map(([kind, entry]) => {
    const [secret, text] = typeof entry === 'string' ? [entry, `{value:"${entry}"}`] : entry;
    return [kind, { secret, text }];
  }),
);

/** One kind of secret for each check, by check ID. */
export const kindOfEachCheck: Readonly<Record<string, string>> = {
  'private-key': 'secrets.private_key',
  'aws-key-pair': 'secrets.cloud_key',
  'database-url': 'secrets.database_url',
  'supabase-service-role': 'secrets.service_role_key',
  'stripe-live-key': 'secrets.payment_key',
  'github-token': 'secrets.api_token',
  'slack-webhook': 'secrets.webhook_url',
  'url-password': 'secrets.url_password',
  'google-api-key': 'secrets.google_api_key',
  'named-secret': 'secrets.likely_secret',
};
