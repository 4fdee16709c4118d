import { createHash } from 'node:crypto';
import { formatToken } from '../../../domain/bearer-token.ts';

/**
 * Fake secrets for the golden cases, generated on use so that repository scanners find no leak in this file.
 */

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const alphabets = {
  hex: `${digits}abcdef`,
  base62: digits + upper + lower,
  base32: `${upper}234567`,
  base64: `${upper}${lower}${digits}+/`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  base64url: `${upper}${lower}${digits}-_`,
  upper: upper + digits,
  digits,
};

/** The same for the same seed. */
function random(seed: string, alphabet: keyof typeof alphabets, length: number): string {
  const characters = alphabets[alphabet];
  let text = '';
  for (let block = 0; text.length < length; block++) {
    for (const byte of createHash('sha256').update(`${seed} ${block}`).digest()) {
      text += characters[byte % characters.length];
    }
  }
  return text.slice(0, length);
}

const b62 = (seed: string, length: number) => random(seed, 'base62', length);
const b64u = (seed: string, length: number) => random(seed, 'base64url', length);
const hex = (seed: string, length: number) => random(seed, 'hex', length);

const uuid = (seed: string) => hex(seed, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export function jwt(claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.${b64u('signature', 43)}`;
}

export function pem(label: string, seed = label, fields = ''): string {
  const body = random(seed, 'base64', 64 * 12).match(/.{64}/g)!;
  return [
    `-----BEGIN ${label}-----`,
    ...(fields ? [fields, ''] : []),
    ...body,
    `-----END ${label}-----`,
  ].join('\n');
}

export const awsId = `AKIA${random('aws', 'base32', 16)}`;
export const awsSecret = random('aws secret', 'base64', 40);
export const googleKey = `AIza${b64u('google', 35)}`;
export const stripeLive = `sk_live_${b62('stripe', 24)}`;
const supabase = (role: string) =>
  jwt({ iss: 'supabase', ref: 'abcdefghijklmnopqrst', role, iat: 1_700_000_000, exp: 2_015_360_000 });
export const supabaseAnon = supabase('anon');
const supabaseServiceRole = supabase('service_role');

/** By the rule's kind: a script's text, and the secret in it. */
export const planted: Readonly<Record<string, { text: string; secret: string }>> = Object.fromEntries(
  Object.entries({
    'private-key': pem('PRIVATE KEY'),
    'encrypted-private-key': pem('ENCRYPTED PRIVATE KEY'),
    'aws-key-pair': [awsSecret, `{accessKeyId:"${awsId}",secretAccessKey:"${awsSecret}"}`],
    'aws-key-id': awsId,
    'azure-account-key': `AccountKey=${random('azure', 'base64', 86)}==`,
    'azure-access-key': `SharedAccessKey=${random('bus', 'base64', 43)}=`,
    'azure-client-secret': `${b64u('entra', 3)}8Q~${b64u('entra secret', 34)}`,
    'google-client-secret': `GOCSPX-${b64u('oauth', 28)}`,
    'google-api-key': googleKey,
    'supabase-service-role': supabaseServiceRole,
    'supabase-secret-key': `sb_secret_${b64u('sb', 22)}_${b64u('sum', 8)}`,
    'database-url': `postgresql://portal:${b62('db', 14)}@db.portal-clinic.net:5432/portal?sslmode=require`,
    'url-password': `https://deploy:${b62('basic', 12)}@packages.portal-clinic.net/feed`,
    'stripe-live-key': stripeLive,
    'stripe-test-key': `rk_test_${b62('stripe test', 40)}`,
    'webhook-signing-secret': `whsec_${b62('whsec', 32)}`,
    'square-token': [`EAAA${b64u('square', 60)}`, `{square:{accessToken:"EAAA${b64u('square', 60)}"}}`],
    'square-secret': `sq0csp-${b64u('sq0', 43)}`,
    // Revoked long ago, and quoted in the explanation of its checksum.
    'github-token': ['ghp_', 'zQWBuTSOoRi4A9sp', 'HcVY5ncnsDkxkJ', '0mLq17'].join(''),
    'github-fine-grained-token': `github_pat_${b62('pat', 22)}_${b62('pat secret', 59)}`,
    'gitlab-token': `glpat-${b64u('gitlab', 20)}`,
    'npm-token': `npm_${b62('npm', 36)}`,
    'pypi-token': `pypi-AgE${b64u('pypi', 120)}`,
    'rubygems-token': `rubygems_${hex('gems', 48)}`,
    'docker-token': `dckr_pat_${b64u('docker', 27)}`,
    'slack-token': `xoxb-${random('slack', 'digits', 12)}-${b62('slack secret', 24)}`,
    'slack-app-token': `xapp-1-A${random('app', 'upper', 10)}-${random('app', 'digits', 13)}-${hex('app', 64)}`,
    'telegram-bot-token': `${random('bot', 'digits', 10)}:AA${b64u('bot', 33)}`,
    'sendgrid-key': `SG.${b64u('sg', 22)}.${b64u('sg secret', 43)}`,
    'mailgun-key': [`key-${hex('mailgun', 32)}`, `mailgun({apiKey:"key-${hex('mailgun', 32)}"})`],
    'brevo-key': `xkeysib-${hex('brevo', 64)}-${b62('brevo', 16)}`,
    'twilio-token': [
      hex('twilio secret', 32),
      `{sid:"AC${hex('twilio', 32)}",authToken:"${hex('twilio secret', 32)}"}`,
    ],
    'openai-key': `sk-proj-${b64u('openai', 74)}T3BlbkFJ${b64u('openai secret', 74)}`,
    'anthropic-key': `sk-ant-api03-${b64u('anthropic', 95)}`,
    'huggingface-token': `hf_${b62('hf', 34)}`,
    'groq-key': `gsk_${b62('groq', 52)}`,
    'shopify-token': `shpat_${hex('shopify', 32)}`,
    'mapbox-secret-token': `sk.eyJ${b64u('mapbox', 60)}.${b64u('mapbox secret', 22)}`,
    'vault-token': `hvs.${b64u('vault', 95)}`,
    'digitalocean-token': `dop_v1_${hex('do', 64)}`,
    'databricks-token': `dapi${hex('databricks', 32)}`,
    'planetscale-token': `pscale_pw_${b62('planetscale', 43)}`,
    'sentry-token': `sntryu_${hex('sentry', 64)}`,
    'parapet-token': formatToken('dashboard', createHash('sha256').update('parapet').digest()),
    'parapet-signing-key': `svc_sign_MC4CAQAwBQYDK2VwBCIEI${b64u('signing', 43)}`,
    'jwk-private-key': [
      b64u('jwk', 43),
      `{"kty":"EC","crv":"P-256","x":"${b64u('jwk x', 43)}","d":"${b64u('jwk', 43)}"}`,
    ],
    'age-key': `AGE-SECRET-KEY-1${random('age', 'bech32', 58)}`,
    'braintree-token': `access_token$production$${hex('merchant', 16)}$${hex('braintree', 32)}`,
    'flutterwave-key': `FLWSECK-${hex('flutterwave', 32)}-X`,
    'plaid-token': `access-production-${uuid('plaid')}`,
    'basic-credential': [
      Buffer.from(`deploy:${b62('basic header', 14)}`).toString('base64'),
      `{headers:{Authorization:"Basic ${Buffer.from(`deploy:${b62('basic header', 14)}`).toString('base64')}"}}`,
    ],
    'supabase-access-token': `sbp_${hex('sbp', 40)}`,
    'netlify-token': `nfp_${b62('netlify', 40)}`,
    'heroku-key': `HRKU-AA${b64u('heroku', 58)}`,
    'terraform-token': `${b62('terraform', 14)}.atlasv1.${b62('terraform secret', 67)}`,
    'pulumi-token': `pul-${hex('pulumi', 40)}`,
    'doppler-token': `dp.pt.${b62('doppler', 43)}`,
    'tailscale-key': `tskey-auth-k${b62('tailscale', 10)}CNTRL-${b62('tailscale secret', 32)}`,
    'circleci-token': `CCIPAT_${b62('circle', 22)}_${hex('circle', 40)}`,
    'openrouter-key': `sk-or-v1-${hex('openrouter', 64)}`,
    'xai-key': `xai-${b62('xai', 80)}`,
    'perplexity-key': `pplx-${b62('perplexity', 48)}`,
    'replicate-token': `r8_${b62('replicate', 37)}`,
    'langsmith-key': `lsv2_pt_${hex('langsmith', 32)}_${hex('langsmith sum', 10)}`,
    'resend-key': `re_${b62('resend', 8)}_${b62('resend secret', 24)}`,
    'mailchimp-key': `${hex('mailchimp', 32)}-us21`,
    'firebase-server-key': `AAAA${b64u('fcm', 7)}:APA91b${b64u('fcm secret', 134)}`,
    'linear-key': `lin_api_${b62('linear', 40)}`,
    'notion-token': `ntn_${random('notion', 'digits', 11)}${b62('notion', 35)}`,
    'figma-token': `figd_${b64u('figma', 40)}`,
    'airtable-token': `pat${b62('airtable', 14)}.${hex('airtable', 64)}`,
    'contentful-token': `CFPAT-${b64u('contentful', 43)}`,
    'postman-key': `PMAK-${hex('postman', 24)}-${hex('postman secret', 34)}`,
    'atlassian-token': `ATATT3${b64u('atlassian', 186)}`,
    'grafana-token': `glsa_${b62('grafana', 32)}_${hex('grafana sum', 8)}`,
    'new-relic-key': `NRAK-${random('relic', 'upper', 27)}`,
    'cloudinary-url': `cloudinary://${random('cloud', 'digits', 15)}:${b64u('cloudinary', 27)}@portal-clinic`,
    'teams-webhook': [
      hex('teams', 32),
      `https://clinic.webhook.office.com/webhookb2/${uuid('group')}@${uuid('tenant')}/IncomingWebhook/${hex('teams', 32)}/${uuid('owner')}`,
    ],
    'slack-webhook': `https://hooks.slack.com/services/T${random('t', 'upper', 10)}/B${random('b', 'upper', 10)}/${b62('hook', 24)}`,
    'discord-webhook': `https://discord.com/api/webhooks/${random('d', 'digits', 18)}/${b64u('discord', 68)}`,
  }).map(([kind, entry]) => {
    const [secret, text] = Array.isArray(entry) ? entry : [entry, `{value:"${entry}"}`];
    return [kind, { secret: secret!, text: text! }];
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
};
