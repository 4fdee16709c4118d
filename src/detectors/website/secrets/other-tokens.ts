import { signingKeyPrefix, tokenPrefix } from '../../../contract/keys.ts';
import { isWellFormedToken } from '../../../domain/bearer-token.ts';
import { secretsChecks } from './checks.ts';
import { around, near, type SecretRule } from './rule.ts';
import { compileShape } from './shape.ts';

const { apiToken, googleApiKey, serviceRoleKey } = secretsChecks;

/** The key of every local Supabase CLI project, without the part that names its kind. */
const localKey = ['N7UND0UgjKTVK', 'Uodkm0Hg_xSvEMPvz'].join('-');

/** Text near Google keys that are meant for browsers, as in applications with Firebase, maps or videos. */
const madeForBrowsers =
  /firebase|authDomain|messagingSenderId|google[\s_.-]?maps?|maps?\.google|maps\/api|maps?_?(?:api_?)?key|places|gapi|recaptcha|youtube/i;

/** The first three bytes of a number in base64: `MTA`, `NjY`. A bot's token starts with its numeric ID. */
const startsOfNumbers = [...'123456789'].flatMap(first =>
  [...'0123456789'].flatMap(second =>
    [...'0123456789'].map(third =>
      Buffer.from(first + second + third)
        .toString('base64')
        .slice(0, 3),
    ),
  ),
);

/** Tokens whose conditions need more than a format. */
export const otherTokens: readonly SecretRule[] = [
  {
    kind: 'parapet-token',
    name: 'a Parapet key',
    check: apiToken,
    anchors: Object.values(tokenPrefix),
    pattern: /svc_(?:live|probe)_[0-9A-Za-z]{49}(?![0-9A-Za-z])/y,
    accepts: match => isWellFormedToken(match[0]),
  },
  {
    kind: 'parapet-signing-key',
    name: 'a Parapet signing key',
    check: apiToken,
    severity: 'critical',
    anchors: [signingKeyPrefix],
    // An Ed25519 key in PKCS #8 (RFC 8410): the first 16 bytes are the same for all.
    pattern: /svc_sign_MC4CAQAwBQYDK2VwBCIEI(?<random>[\w-]{43})(?![\w-])/y,
  },
  {
    kind: 'supabase-secret-key',
    name: 'a Supabase secret key',
    check: serviceRoleKey,
    anchors: ['sb_secret_'],
    pattern: /sb_secret_(?<random>[\w-]{20,60})/y,
    accepts: match => match.groups?.random !== localKey,
  },
  {
    kind: 'google-gemini-key',
    name: 'a Google API key for Gemini, with which anyone can run up costs',
    check: apiToken,
    ...compileShape('AIza{35 b64u}'),
    ...near(/generativelanguage\.googleapis|gemini[\w.-]{0,20}(?:api)?[\w.-]{0,8}key|GoogleGenerativeAI/i),
  },
  {
    kind: 'google-api-key',
    name: 'a Google API key',
    check: googleApiKey,
    ...compileShape('AIza{35 b64u}'),
    // Firebase configurations and loaders of maps and sign-in contain keys that are meant for browsers.
    accepts: match => !madeForBrowsers.test(around(match, 300)),
    looksAround: true,
  },
  {
    kind: 'twilio-token',
    name: 'a Twilio auth token with its account',
    check: apiToken,
    ...compileShape('AC{32 hex}'),
    hasPartner: true,
    ...near(/auth_?token["'\s\\]{0,4}[:=,]["'\s\\]{0,4}[0-9a-f]{32}(?!\w)/i),
  },
  {
    kind: 'twilio-api-key',
    name: 'a Twilio API key with its secret',
    check: apiToken,
    ...compileShape('SK{32 Hex}'),
    hasPartner: true,
    ...near(/secret["'\s\\]{0,4}[:=,]["'\s\\]{0,4}[0-9A-Za-z]{32}(?!\w)/i),
  },
  {
    kind: 'discord-bot-token',
    name: 'a Discord bot token',
    check: apiToken,
    severity: 'critical',
    anchors: [...new Set(startsOfNumbers)],
    pattern: /(?<id>[MNO][\w-]{22,27})\.[\w-]{6}\.(?<random>[\w-]{27,42})(?![\w-])/y,
    accepts: match => /^\d{17,20}$/.test(Buffer.from(match.groups?.id ?? '', 'base64url').toString('latin1')),
  },
  {
    kind: 'django-secret-key',
    name: 'Django’s secret key, with which anyone can forge sessions',
    check: apiToken,
    anchors: ['django-insecure-'],
    pattern: /django-insecure-(?<random>[\w!@#$%^&*()=+-]{40,60})/y,
  },
  {
    kind: 'laravel-app-key',
    name: 'Laravel’s application key, with which anyone can forge sessions',
    check: apiToken,
    severity: 'critical',
    anchors: ['base64:'],
    pattern: /base64:(?<random>[\w+/]{43})=(?![\w+/=])/y,
    ...near(/APP_KEY|app\.key|laravel/i),
  },
];
