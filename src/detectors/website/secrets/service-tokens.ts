import { signingKeyPrefix, tokenPrefix } from '../../../contract/keys.ts';
import { isWellFormedToken } from '../../../domain/bearer-token.ts';
import { secretsChecks as checks } from './checks.ts';
import { near, rule, type SecretRule } from './rule.ts';
import { hasGithubChecksum } from './token-checksum.ts';

const { apiToken, paymentKey, webhookUrl } = checks;

/**
 * Tokens whose format identifies their service, according to the services' documentation and GitHub's list of
 * secret scanning patterns. Keys that are meant for browsers (Stripe's publishable keys, Mapbox's `pk.`,
 * Supabase's anon keys, Sentry's DSN) and identifiers (Twilio's `AC…`, Razorpay's `rzp_…`) are not secrets.
 */
export const serviceTokens: readonly SecretRule[] = [
  rule(
    paymentKey,
    'stripe-live-key',
    'a live secret key of Stripe, or of a service with the same key format (Clerk, Paystack)',
    ['sk_live_', 'rk_live_'],
    /[sr]k_live_(?<random>[0-9A-Za-z]{16,250})/y,
  ),
  rule(
    paymentKey,
    'stripe-test-key',
    'a test mode secret key of Stripe, or of a service with the same key format',
    ['sk_test_', 'rk_test_'],
    /[sr]k_test_(?<random>[0-9A-Za-z]{16,250})/y,
    { severity: 'low' },
  ),
  rule(
    paymentKey,
    'webhook-signing-secret',
    'a webhook signing secret',
    'whsec_',
    /whsec_(?<random>[0-9A-Za-z+/]{32,100})/y,
    { severity: 'high' },
  ),
  rule(
    paymentKey,
    'square-token',
    'a Square access token',
    'EAAA',
    /EAAA(?<random>[\w-]{60})(?![\w-])/y,
    near(/square/i),
  ),
  rule(
    paymentKey,
    'square-secret',
    'a Square application secret',
    ['sq0csp-', 'sq0atp-'],
    /sq0(?:csp|atp)-(?<random>[\w-]{22,43})(?![\w-])/y,
  ),

  rule(
    apiToken,
    'github-token',
    'a GitHub token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    /gh[pousr]_(?<random>[0-9A-Za-z]{36})(?!\w)/y,
    { severity: 'critical', accepts: match => hasGithubChecksum(match.groups?.random ?? '') },
  ),
  rule(
    apiToken,
    'github-fine-grained-token',
    'a GitHub token',
    'github_pat_',
    /github_pat_(?<random>[0-9A-Za-z]{22}_[0-9A-Za-z]{59})(?!\w)/y,
    { severity: 'critical' },
  ),
  rule(
    apiToken,
    'gitlab-token',
    'a GitLab token',
    ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glsoat-', 'glcbt-'],
    /gl(?:pat|ptt|dt|rt|soat|cbt)-(?<random>[\w-]{20,300})/y,
    { severity: 'critical' },
  ),
  rule(
    apiToken,
    'npm-token',
    'an npm token',
    'npm_',
    /npm_(?<random>[0-9A-Za-z]{36})(?!\w)/y,
    // Publishing a package runs code on the machine of everyone who installs it.
    { severity: 'critical' },
  ),
  rule(apiToken, 'pypi-token', 'a PyPI token', 'pypi-AgE', /pypi-AgE(?<random>[\w-]{60})/y, {
    severity: 'critical',
  }),
  rule(apiToken, 'rubygems-token', 'a RubyGems key', 'rubygems_', /rubygems_(?<random>[0-9a-f]{48})(?!\w)/y),
  rule(
    apiToken,
    'docker-token',
    'a Docker Hub token',
    'dckr_pat_',
    /dckr_pat_(?<random>[\w-]{27})(?![\w-])/y,
  ),

  rule(
    apiToken,
    'slack-token',
    'a Slack token',
    'xox',
    /xox[abpers]-(?<random>\d{8,15}-[0-9A-Za-z-]{15,250}|\d-[0-9A-Za-z]{50,250})/y,
  ),
  rule(
    apiToken,
    'slack-app-token',
    'a Slack app token',
    'xapp-',
    /xapp-\d-(?<random>[0-9A-Z]{8,15}-\d{8,15}-[0-9a-f]{64})/y,
  ),
  rule(
    apiToken,
    'telegram-bot-token',
    'a Telegram bot token',
    ':AA',
    /(?<=(?<![\w-])(?:bot)?\d{8,10}):AA(?<random>[\w-]{33})(?![\w-])/y,
    { within: true },
  ),
  rule(apiToken, 'sendgrid-key', 'a SendGrid key', 'SG.', /SG\.(?<random>[\w-]{22}\.[\w-]{43})(?![\w-])/y),
  rule(
    apiToken,
    'mailgun-key',
    'a Mailgun key',
    'key-',
    /key-(?<random>[0-9a-f]{32})(?![\w-])/y,
    near(/mailgun/i),
  ),
  rule(
    apiToken,
    'brevo-key',
    'a Brevo key',
    'xkeysib-',
    /xkeysib-(?<random>[0-9a-f]{64}-[0-9A-Za-z]{16})(?!\w)/y,
  ),
  rule(
    apiToken,
    'twilio-token',
    'a Twilio auth token with its account',
    'AC',
    /AC(?<random>[0-9a-f]{32})(?!\w)/y,
    near(/auth_?token["'\s\\]{0,4}[:=,]["'\s\\]{0,4}[0-9a-f]{32}(?!\w)/i),
  ),

  rule(
    apiToken,
    'openai-key',
    'an OpenAI key',
    'sk-',
    /sk-(?<random>(?:(?:proj|svcacct|admin)-)?[\w-]{20,100}T3BlbkFJ[\w-]{20,100})/y,
  ),
  rule(
    apiToken,
    'anthropic-key',
    'an Anthropic key',
    'sk-',
    /sk-ant-(?:api|admin|oat|sid)\d\d-(?<random>[\w-]{80,120})(?![\w-])/y,
  ),
  rule(apiToken, 'huggingface-token', 'a Hugging Face token', 'hf_', /hf_(?<random>[0-9A-Za-z]{34})(?!\w)/y),
  rule(apiToken, 'groq-key', 'a Groq key', 'gsk_', /gsk_(?<random>[0-9A-Za-z]{52})(?!\w)/y),

  rule(
    apiToken,
    'shopify-token',
    'a Shopify access token or app secret',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    /shp(?:at|ca|pa|ss)_(?<random>[0-9a-fA-F]{32})(?!\w)/y,
  ),
  rule(
    apiToken,
    'mapbox-secret-token',
    'a Mapbox secret token',
    'sk.eyJ',
    /sk\.eyJ(?<random>[\w-]{20,300}\.[\w-]{20,60})/y,
  ),
  rule(
    apiToken,
    'vault-token',
    'a HashiCorp Vault token',
    'hvs.',
    /hvs\.(?<random>[\w-]{80,140})(?![\w-])/y,
    {
      severity: 'critical',
    },
  ),
  rule(
    apiToken,
    'digitalocean-token',
    'a DigitalOcean token',
    ['dop_v1_', 'doo_v1_'],
    /do[op]_v1_(?<random>[0-9a-f]{64})(?!\w)/y,
    {
      severity: 'critical',
    },
  ),
  rule(apiToken, 'databricks-token', 'a Databricks token', 'dapi', /dapi(?<random>[0-9a-f]{32})(?!\w)/y),
  rule(
    apiToken,
    'planetscale-token',
    'a PlanetScale password or token',
    ['pscale_pw_', 'pscale_tkn_'],
    /pscale_(?:pw|tkn)_(?<random>[\w.-]{32,64})/y,
    {
      severity: 'critical',
    },
  ),
  rule(apiToken, 'sentry-token', 'a Sentry user token', 'sntryu_', /sntryu_(?<random>[0-9a-f]{64})(?!\w)/y),
  rule(
    apiToken,
    'parapet-token',
    'a Parapet key',
    Object.values(tokenPrefix),
    /svc_(?:live|probe)_[0-9A-Za-z]{49}(?![0-9A-Za-z])/y,
    { accepts: match => isWellFormedToken(match[0]) },
  ),
  rule(
    apiToken,
    'parapet-signing-key',
    'a Parapet signing key',
    signingKeyPrefix,
    // An Ed25519 key in PKCS #8 (RFC 8410): the first 16 bytes are the same for all.
    /svc_sign_MC4CAQAwBQYDK2VwBCIEI(?<random>[\w-]{43})(?![\w-])/y,
    { severity: 'critical' },
  ),

  rule(
    webhookUrl,
    'slack-webhook',
    'a Slack webhook URL',
    'hooks.slack.com',
    /hooks\.slack\.com\\?\/services\\?\/T[0-9A-Z]{8,12}\\?\/B[0-9A-Z]{8,12}\\?\/(?<random>[0-9A-Za-z]{20,26})(?!\w)/y,
  ),
  rule(
    webhookUrl,
    'teams-webhook',
    'a Microsoft Teams webhook URL',
    'webhook.office.com',
    /webhook\.office\.com\\?\/webhookb2\\?\/[0-9a-f-]{36}@[0-9a-f-]{36}\\?\/IncomingWebhook\\?\/(?<random>[0-9a-f]{32})/y,
  ),
  rule(
    webhookUrl,
    'discord-webhook',
    'a Discord webhook URL',
    'webhooks',
    /(?<=discord(?:app)?\.com\\?\/api\\?\/)webhooks\\?\/\d{17,20}\\?\/(?<random>[\w-]{60,80})(?![\w-])/y,
  ),
];
