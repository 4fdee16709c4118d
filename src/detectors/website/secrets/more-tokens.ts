import { secretsChecks as checks } from './checks.ts';
import { isGenuineLogin } from './genuine.ts';
import { rule, type SecretRule } from './rule.ts';

const { apiToken, paymentKey, privateKey } = checks;
const critical = { severity: 'critical' } as const;

/** The user and password of an Authorization header, if they are not those of RFC 7617 or RFC 6749. */
function isGenuineBasic(match: RegExpExecArray): boolean {
  const before = match.input.slice(Math.max(0, match.index - 60), match.index);
  if (!/authorization/i.test(before)) return false;
  const [, user = '', password = ''] =
    /^([\x21-\x39\x3b-\x7e]{2,80}):([\x20-\x7e]{8,150})$/.exec(
      Buffer.from(match.groups?.pair ?? '', 'base64').toString('latin1'),
    ) ?? [];
  return (
    password !== '' &&
    !/^open ?sesame$|^gX1fBat3bV$/i.test(password) &&
    isGenuineLogin(user, password, 'api.clinic.net')
  );
}

/** A JSON Web Key is private if it has the member `d` (RFC 7518, 6.2.2 and 6.3.2). It contains no objects. */
function isPrivateJwk({ input, index }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - 2_500), index);
  const after = input.slice(index, index + 2_500);
  const end = after.indexOf('}');
  const object = before.slice(before.lastIndexOf('{') + 1) + after.slice(0, end === -1 ? undefined : end);
  return /(?:^|[,\s])\\{0,2}["']?d\\{0,2}["']?\s{0,3}:\s{0,3}\\{0,2}["'][\w-]{32,700}\\{0,2}["']/.test(
    object,
  );
}

/**
 * Tokens of platforms that pages and bundles contain by mistake. Formats according to the services'
 * documentation.
 */
export const moreTokens: readonly SecretRule[] = [
  rule(
    privateKey,
    'jwk-private-key',
    'a private key (JSON Web Key)',
    'kty',
    /kty\\{0,2}["']?\s{0,3}:\s{0,3}\\{0,2}["'](?:RSA|EC|OKP)\\{0,2}["']/y,
    { accepts: isPrivateJwk, looksAround: true },
  ),
  rule(
    privateKey,
    'age-key',
    'a private key of age',
    'AGE-SECRET-KEY-1',
    /AGE-SECRET-KEY-1(?<random>[02-9AC-HJ-NP-Z]{58})(?!\w)/y,
  ),

  rule(
    paymentKey,
    'braintree-token',
    'a Braintree access token',
    'access_token$production$',
    /access_token\$production\$[0-9a-z]{16}\$(?<random>[0-9a-f]{32})(?!\w)/y,
  ),
  rule(
    paymentKey,
    'flutterwave-key',
    'a Flutterwave secret key',
    'FLWSECK-',
    /FLWSECK-(?<random>[0-9a-f]{12,40})(?:-[0-9a-z]{8,16})?-X(?!\w)/y,
  ),
  rule(
    paymentKey,
    'plaid-token',
    'a Plaid access token',
    'access-production-',
    /access-production-(?<random>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?!\w)/y,
  ),

  rule(
    apiToken,
    'basic-credential',
    'a username and password for Basic authentication',
    'Basic ',
    /Basic (?<pair>[0-9A-Za-z+/]{12,400}={0,2})(?![\w+/=])/y,
    { accepts: isGenuineBasic, looksAround: true },
  ),
  rule(
    apiToken,
    'supabase-access-token',
    'a Supabase access token',
    'sbp_',
    /sbp_(?<random>[0-9a-f]{40})(?!\w)/y,
    critical,
  ),
  rule(
    apiToken,
    'netlify-token',
    'a Netlify token',
    'nfp_',
    /nfp_(?<random>[0-9A-Za-z]{36,60})(?!\w)/y,
    critical,
  ),
  rule(
    apiToken,
    'heroku-key',
    'a Heroku API key',
    'HRKU-',
    /HRKU-(?<random>[\w-]{36,70})(?![\w-])/y,
    critical,
  ),
  rule(
    apiToken,
    'terraform-token',
    'a Terraform token',
    '.atlasv1.',
    /(?<=(?<![0-9A-Za-z])[0-9A-Za-z]{14})\.atlasv1\.(?<random>[\w=-]{60,70})(?!\w)/y,
    { within: true, ...critical },
  ),
  rule(apiToken, 'pulumi-token', 'a Pulumi token', 'pul-', /pul-(?<random>[0-9a-f]{40})(?![\w-])/y, critical),
  rule(
    apiToken,
    'doppler-token',
    'a Doppler token',
    ['dp.pt.', 'dp.st.', 'dp.sa.'],
    /dp\.(?:pt|st\.[\w-]{2,35}|sa)\.(?<random>[0-9A-Za-z]{40,44})(?!\w)/y,
    critical,
  ),
  rule(
    apiToken,
    'tailscale-key',
    'a Tailscale key',
    'tskey-',
    /tskey-(?:auth|api|client)-(?<random>[0-9A-Za-z]{8,20}-[0-9A-Za-z]{20,48})(?!\w)/y,
    critical,
  ),
  rule(
    apiToken,
    'circleci-token',
    'a CircleCI token',
    'CCIPAT_',
    /CCIPAT_(?<random>[0-9A-Za-z]{22}_[0-9a-f]{40})(?!\w)/y,
    critical,
  ),

  rule(
    apiToken,
    'openrouter-key',
    'an OpenRouter key',
    'sk-or-v1-',
    /sk-or-v1-(?<random>[0-9a-f]{64})(?!\w)/y,
  ),
  rule(apiToken, 'xai-key', 'an xAI key', 'xai-', /xai-(?<random>[0-9A-Za-z]{80})(?!\w)/y),
  rule(apiToken, 'perplexity-key', 'a Perplexity key', 'pplx-', /pplx-(?<random>[0-9A-Za-z]{48})(?!\w)/y),
  rule(apiToken, 'replicate-token', 'a Replicate token', 'r8_', /r8_(?<random>[0-9A-Za-z]{37})(?!\w)/y),
  rule(
    apiToken,
    'langsmith-key',
    'a LangSmith key',
    'lsv2_',
    /lsv2_(?:pt|sk)_(?<random>[0-9a-f]{32}_[0-9a-f]{10})(?!\w)/y,
  ),

  rule(apiToken, 'resend-key', 'a Resend key', 're_', /re_(?<random>[0-9A-Za-z]{8}_[0-9A-Za-z]{24})(?!\w)/y),
  rule(
    apiToken,
    'mailchimp-key',
    'a Mailchimp key',
    '-us',
    /(?<=(?<![0-9A-Za-z])(?<random>[0-9a-f]{32}))-us\d{1,2}(?![\w-])/y,
    { within: true },
  ),
  rule(
    apiToken,
    'firebase-server-key',
    'a Firebase Cloud Messaging server key',
    ':APA91b',
    /(?<=(?<![\w-])AAAA[\w-]{7}):APA91b(?<random>[\w-]{134})(?![\w-])/y,
    { within: true },
  ),
  rule(apiToken, 'linear-key', 'a Linear key', 'lin_api_', /lin_api_(?<random>[0-9A-Za-z]{40})(?!\w)/y),
  rule(apiToken, 'notion-token', 'a Notion token', 'ntn_', /ntn_(?<random>\d{11}[0-9A-Za-z]{35})(?!\w)/y),
  rule(apiToken, 'figma-token', 'a Figma token', 'figd_', /figd_(?<random>[\w-]{40,60})(?![\w-])/y),
  rule(
    apiToken,
    'airtable-token',
    'an Airtable token',
    'pat',
    /pat[0-9A-Za-z]{14}\.(?<random>[0-9a-f]{64})(?!\w)/y,
  ),
  rule(
    apiToken,
    'contentful-token',
    'a Contentful management token',
    'CFPAT-',
    /CFPAT-(?<random>[\w-]{43})(?![\w-])/y,
  ),
  rule(apiToken, 'postman-key', 'a Postman key', 'PMAK-', /PMAK-(?<random>[0-9a-f]{24}-[0-9a-f]{34})(?!\w)/y),
  rule(
    apiToken,
    'atlassian-token',
    'an Atlassian token',
    'ATATT3',
    /ATATT3(?<random>[\w=-]{170,250})(?![\w=-])/y,
  ),
  rule(
    apiToken,
    'grafana-token',
    'a Grafana token',
    'glsa_',
    /glsa_(?<random>[0-9A-Za-z]{32}_[0-9a-fA-F]{8})(?!\w)/y,
  ),
  rule(apiToken, 'new-relic-key', 'a New Relic user key', 'NRAK-', /NRAK-(?<random>[0-9A-Z]{27})(?!\w)/y),
  rule(
    apiToken,
    'cloudinary-url',
    'a Cloudinary URL with its API secret',
    'cloudinary:',
    /cloudinary:(?:\/\/|\\\/\\\/)\d{10,20}:(?<random>[\w-]{20,40})@[\w-]{2,60}/y,
  ),
];
