import { secretsChecks } from './checks.ts';
import { around, type SecretRule } from './rule.ts';
import { partsOf, patternOf } from './shape.ts';

/**
 * Keys without a distinctive format, which count next to a name with the service: `DATADOG_API_KEY="…"`. Only keys for servers: those
 * of search, maps, analytics and payments for browsers are public.
 */
type Named = readonly [
  kind: string,
  name: string,
  words: string | readonly string[],
  ...formats: readonly string[],
];

const named: readonly Named[] = [
  ['adobe-key', 'an Adobe client secret', 'adobe', '{32 hex}'],
  ['adafruit-classic-key', 'an Adafruit IO key', 'adafruit', '{32 b64u}'],
  ['alibaba-secret', 'an Alibaba Cloud secret', ['alibaba', 'aliyun'], '{30 b62}'],
  ['artifactory-token', 'a JFrog Artifactory token', ['jfrog', 'artifactory'], '{64 b62}', '{73 b62}'],
  [
    'asana-token',
    'an Asana token',
    'asana',
    '{32 hex}',
    '{32 b62}',
    '{1 digit}/{13-17 digit}:{32 hex}',
    '{1 digit}/{13-17 digit}/{13-17 digit}:{32 hex}',
  ],
  ['algolia-admin-key', 'an Algolia admin key', ['algolia_admin', 'algoliaadmin'], '{32 hex}'],
  ['assemblyai-key', 'an AssemblyAI key', 'assemblyai', '{32 hex}'],
  ['azure-openai-key', 'an Azure OpenAI key', ['azureopenai', 'azure_openai', 'openai'], '{32 hex}'],
  ['bitbucket-secret', 'a Bitbucket client secret', 'bitbucket', '{64 b64u}'],
  ['bittrex-key', 'a Bittrex key', 'bittrex', '{32 lower}'],
  ['cloudflare-key', 'a Cloudflare key', 'cloudflare', '{40 b64u}', '{37 hex}'],
  ['cloudsmith-key', 'a Cloudsmith key', 'cloudsmith', '{40 hex}'],
  ['codecov-token', 'a Codecov token', 'codecov', '{32 b62}'],
  ['cohere-key', 'a Cohere key', ['cohere', 'co_api'], '{40 b62}'],
  ['coinbase-secret', 'a Coinbase secret', 'coinbase', '{64 b64u}'],
  ['confluent-key', 'a Confluent secret', 'confluent', '{64 b64}', '{64 b62}'],
  ['datadog-key', 'a Datadog key', ['datadog', 'dd_api', 'dd_app'], '{32 lower}', '{40 lower}'],
  ['deepgram-key', 'a Deepgram key', 'deepgram', '{40 hex}'],
  ['discord-secret', 'a Discord client secret', 'discord', '{32 b64u}', '{64 hex}'],
  ['drone-token', 'a Drone token', 'drone', '{32 b62}'],
  ['dropbox-secret', 'a Dropbox app secret', 'dropbox', '{15 lower}'],
  ['etsy-key', 'an Etsy key', 'etsy', '{24 lower}'],
  ['facebook-secret', 'a Facebook app secret', 'facebook', '{32 hex}'],
  ['facebook-app-token', 'a Facebook app token', 'facebook', '{15-16 digit}|{27-40 b64u}'],
  ['fastly-token', 'a Fastly token', 'fastly', '{32 b64u}'],
  ['finicity-key', 'a Finicity key', 'finicity', '{32 hex}', '{20 b62}'],
  ['finnhub-key', 'a Finnhub key', 'finnhub', '{20 lower}'],
  ['flickr-secret', 'a Flickr key', 'flickr', '{32 lower}'],
  ['freshbooks-token', 'a FreshBooks token', 'freshbooks', '{64 hex}', '{64 lower}'],
  ['gitter-token', 'a Gitter token', 'gitter', '{40 b64u}'],
  ['heroku-uuid-key', 'a Heroku API key', 'heroku', '{uuid}'],
  ['hubspot-key', 'a HubSpot API key', 'hubspot', '{uuid}'],
  ['intercom-token', 'an Intercom token', 'intercom', '{60 b64}'],
  ['jira-token', 'an Atlassian token', ['atlassian', 'confluence', 'jira'], '{24 b62}'],
  ['kraken-secret', 'a Kraken secret', 'kraken', '{80-90 b64}'],
  ['kucoin-secret', 'a KuCoin secret', 'kucoin', '{24 hex}', '{uuid}'],
  ['launchdarkly-token', 'a LaunchDarkly token', 'launchdarkly', '{40 b64u}'],
  ['linear-secret', 'a Linear client secret', 'linear', '{32 hex}'],
  ['linkedin-client-secret', 'a LinkedIn client secret', ['linkedin', 'linked_in'], '{16 b62}'],
  ['looker-secret', 'a Looker client secret', 'looker', '{24 b62}'],
  ['mailgun-api-key', 'a Mailgun key', 'mailgun', '{32 lower}-{8 lower}-{8 lower}'],
  ['mattermost-token', 'a Mattermost token', 'mattermost', '{26 lower}'],
  ['meraki-key', 'a Cisco Meraki key', 'meraki', '{40 hex}'],
  ['messagebird-key', 'a MessageBird key', ['messagebird', 'message_bird'], '{25 b62}'],
  ['mistral-key', 'a Mistral key', 'mistral', '{32 b62}'],
  ['netlify-classic-token', 'a Netlify token', 'netlify', '{40-46 b64u}'],
  ['new-relic-api-key', 'a New Relic key', ['newrelic', 'new_relic', 'new-relic'], '{64 b62}'],
  ['nytimes-secret', 'a New York Times secret', ['nytimes', 'newyorktimes', 'new-york-times'], '{32 b64u}'],
  ['okta-token', 'an Okta token', ['okta', 'ssws'], '00{40 b64u}'],
  ['opsgenie-key', 'an Opsgenie key', 'opsgenie', '{uuid}'],
  ['paypal-secret', 'a PayPal client secret', 'paypal', 'E{79 b64u}'],
  ['plaid-secret', 'a Plaid secret', 'plaid', '{30 hex}', '{30 lower}'],
  ['postmark-token', 'a Postmark token', 'postmark', '{uuid}'],
  ['privateai-key', 'a Private AI key', ['privateai', 'private_ai'], '{32 lower}'],
  ['pushbullet-key', 'a Pushbullet token', 'pushbullet', 'o.{32 b62}'],
  ['rapidapi-classic-key', 'a RapidAPI key', 'rapidapi', '{50 b64u}'],
  ['sendbird-token', 'a Sendbird token', 'sendbird', '{40 hex}'],
  ['sentry-auth-token', 'a Sentry token', 'sentry', '{64 hex}'],
  ['snyk-key', 'a Snyk token', 'snyk', '{uuid}'],
  ['sonar-login', 'a SonarQube token', 'sonar', '{40 hex}'],
  ['squarespace-token', 'a Squarespace key', 'squarespace', '{uuid}'],
  ['sumologic-key', 'a Sumo Logic key', ['sumologic', 'sumo'], '{64 b62}'],
  ['travis-token', 'a Travis CI token', 'travis', '{22 b64u}'],
  ['twitch-secret', 'a Twitch secret', 'twitch', '{30 lower}'],
  ['twitter-secret', 'a Twitter (X) secret', 'twitter', '{50 b62}', '{45 b62}', '{15-25 digit}-{20-40 b62}'],
  ['vault-legacy-token', 'a HashiCorp Vault token', 'vault', 's.{24 b62}'],
  ['vercel-classic-token', 'a Vercel token', 'vercel', '{24 b62}'],
  ['zendesk-token', 'a Zendesk token', 'zendesk', '{40 b62}'],
];

/** Words for the secret itself. An ID, a public key or a key for searches is none. */
const isOfSecret = /key|token|secret|pass|pat\b|auth|credential/i;
const isOfOther =
  /public|search|site_?key|client_?id|app_?id|measurement|tracking|browser|write_?key|publishable|url|hash|integrity|checksum|version|commit|sha|placeholder|label|test|example|storage|cookie|cache|query|selector|css|class|icon|token_?(?:name|type|endpoint)|event/i;

/** Whether a value without quotes belongs to an environment variable: `DATADOG_API_KEY=…` at the start of a line. */
function isOfVariable({ index, input, groups }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - 48), index);
  return /^[A-Z][A-Z\d_]*$/.test(groups?.label ?? '') && /(?:^|[\s"'`]|\\n)[A-Z\d_]{0,40}$/.test(before);
}

export const namedRules: readonly SecretRule[] = named.map(([kind, name, words, ...formats]) => {
  const anchors = [words].flat();
  const value = formats.map(format => patternOf(partsOf(format), null)).join('|');
  const quote = '\\\\{0,2}["\'`]';
  return {
    kind,
    name: `${name}, by its name`,
    check: secretsChecks.likelySecret,
    label: anchors[0]!,
    shape: formats[0]!,
    anchors,
    anyCase: true,
    within: true,
    pattern: new RegExp(
      `(?<label>(?:${anchors.join('|')})[\\w.-]{0,40})(?:(?:${quote})?\\]?\\s{0,4}(?::=?|=>?)\\s{0,4}${quote}(?<random>${value})${quote}|=(?<randomOfLine>${value})(?![^\\s"'\`\\\\<>]))`,
      'iy',
    ),
    looksAround: true,
    accepts: match => {
      const label = match.groups?.label ?? '';
      if (!isOfSecret.test(label) || isOfOther.test(label)) return false;
      if (match.groups?.randomOfLine !== undefined && !isOfVariable(match)) return false;
      const random = match.groups?.random ?? match.groups?.randomOfLine ?? '';
      return /\d/.test(random) && !/example|sample|mock|dummy|fixture/i.test(around(match, 60));
    },
  };
});
