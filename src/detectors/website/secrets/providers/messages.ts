import { secretsChecks } from '../checks.ts';
import { around, near, onlyNear, type SecretRule } from '../rule.ts';
import { rulesOf } from '../shape.ts';

/** The key of Twitter's own web client, which many libraries contain. */
const webClientOfTwitter = 'AAAAAAAAAAAAAAAAAAAAANRILgAAAAAAnNwIzUejRCOuH5E6I8xnZz4puTs';

/** Chat, mail, messages, calls and social networks. */
export const messageRules: readonly SecretRule[] = rulesOf(secretsChecks.apiToken, [
  [
    'slack-token',
    'a Slack token',
    [
      '(xoxa-|xoxb-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-){8-15 digit}-{15-250 b64u}',
      '(xoxa-|xoxb-|xoxe-|xoxp-|xoxr-|xoxs-|xoxe.xoxb-|xoxe.xoxp-){1 digit}-{50-250 b62}',
      '(xoxa-|xoxr-){1 digit}-{8-48 b62}',
    ],
    // Without its secret part, as in a mask, it consists of IDs.
    { accepts: match => /[a-z]/i.test(match[0].slice(match[0].lastIndexOf('-'))) },
  ],
  ['slack-app-token', 'a Slack app token', 'xapp-{1 digit}-{8-15 upper}-{8-15 digit}-{64 hex}'],
  ['sendgrid-key', 'a SendGrid key', 'SG.{22 b64u}.{43 b64u}'],
  ['mailgun-key', 'a Mailgun key', 'key-{32 hex}', near(/mailgun/i)],
  ['brevo-key', 'a Brevo key', '(xkeysib-|xsmtpsib-){64 hex}-{16 b62}'],
  [
    'mailchimp-key',
    'a Mailchimp key',
    '{32 hex}-us{1-2 digit}',
    // Keys of its SDK are made for applications of users.
    {
      accepts: ({ input, index }) =>
        !/MailchimpSDK\b.{0,60}$/s.test(input.slice(Math.max(0, index - 120), index)),
    },
  ],
  ['mandrill-key', 'a Mandrill key', 'md-{22 b64u}', onlyNear(/mandrill/i)],
  ['mailersend-key', 'a MailerSend key', 'mlsn.{64 hex}'],
  ['resend-key', 'a Resend key', 're_{8 b62}_{24 b62}'],
  ['klaviyo-key', 'a Klaviyo private key', ['pk_{34 hex}', 'pk_{6 b62}_{34 hex}']],
  ['convertkit-key', 'a Kit (ConvertKit) key', 'kit_{32-40 hex}'],
  ['onesignal-key', 'a OneSignal key', '(os_v2_app_|os_v2_org_){80-140 base32}'],
  [
    'facebook-token',
    'a Facebook access token',
    [
      '(EAAC|EAAM){100-400 b62}',
      '(EAAA|EAAB|EAAD|EAAE|EAAF|EAAG|EAAH|EAAI|EAAJ|EAAK|EAAL|EAAN|EAAO|EAAP|EAAQ|EAAR|EAAS){120-400 b62}',
    ],
  ],
  ['instagram-token', 'an Instagram access token', '(IGQV|IGQW|IGAA){100-300 b64u}'],
  [
    'twitter-bearer-token',
    'a Twitter (X) bearer token',
    // The application's number as eight bytes, most of them zero, and a random part.
    ['AAAAAAAAAAAAAAAAAAAA{4-8 b64u}AAAA{60-150 encoded}', 'AAAAAAAAAAAAAAAAAAAA{80-160 encoded}'],
    {
      // Encoded zeros of binary data begin like this too.
      ambiguous: true,
      looksAround: true,
      accepts: match =>
        !match[0].startsWith(webClientOfTwitter) &&
        (/%3D[\dA-Za-z]{50}$/.test(match[0]) ||
          /twitter|tweet|bearer|\bapi\.x\.com/i.test(around(match, 200))),
    },
  ],
  ['linkedin-secret', 'a LinkedIn client secret', '(WPL_AP0.|WPL_AP1.){16 b62}.{6 b64}=='],
  ['pinterest-token', 'a Pinterest token', 'pina_{60-120 b62}'],
  ['telnyx-key', 'a Telnyx key', 'KEY{55 b64u}'],
  ['matrix-token', 'a Matrix access token', 'syt_{4-80 b64u}_{20 b62}_{6 b62}'],
  ['pubnub-key', 'a PubNub secret key', 'sec-c-{48 b64}'],
  [
    'intercom-access-token',
    'an Intercom access token',
    // Base64 of `tok:`.
    'dG9rO{40-80 b64}',
    { accepts: match => /^tok:[\w-]{20,50}:\d:\d$/.test(Buffer.from(match[0], 'base64').toString('latin1')) },
  ],
  ['courier-key', 'a Courier key', '(pk_prod_|pk_test_){28 upper}', onlyNear(/courier/i)],
  ['webex-token', 'a Webex bot token', '{64 b62}(_P0A1_|_PF84_|_PE93_|_PC75_){uuid}'],
  ['riot-key', 'a Riot Games key', 'RGAPI-{uuid}'],
  ['firebase-server-key', 'a Firebase Cloud Messaging server key', 'AAAA{7 b64u}:APA91b{134 b64u}'],
]);
