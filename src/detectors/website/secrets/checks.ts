import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const impersonation = lowers(
  safeguards.authentication,
  'Anyone who reads the secret on the page can act as its owner.',
);
const access = lowers(
  safeguards.accessControl,
  'The secret gives everyone who visits the page access to data and services.',
);
const password = lowers(safeguards.passwordManagement, 'The password is published with the page.');

const cwe312 = 'https://cwe.mitre.org/data/definitions/312.html';
const cwe798 = 'https://cwe.mitre.org/data/definitions/798.html';
const secretsManagement =
  'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html';
/** Advice against bundlers that publish secrets. */
const keepOnServer =
  'Call the service from your server and keep the value in its environment. Bundlers publish variables with a public prefix: never use NEXT_PUBLIC_, VITE_, REACT_APP_, NUXT_PUBLIC_ or EXPO_PUBLIC_ for a secret.';

export const secretsChecks = {
  privateKey: {
    id: 'secrets.private_key',
    title: 'The page contains a private key',
    severity: 'critical',
    revisited: true,
    why: 'Anyone who opens the page has the key, and can sign, decrypt or sign in as its owner until it is replaced.',
    fix: {
      advice: `Generate a new key pair, replace the key everywhere, and revoke the old one where it was issued. Then remove the key from the page or bundle. ${keepOnServer}`,
      steps: [
        {
          place: 'shell',
          code: [
            'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out new.key',
            'chmod 600 new.key',
            'openssl pkey -in new.key -pubout -out new.pub',
          ].join('\n'),
          note: 'For certificates: `certbot renew --force-renewal --new-key`, then `certbot revoke` with the old one.',
        },
      ],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc7468#section-10', cwe312],
    safeguards: [impersonation, access],
  },
  cloudKey: {
    id: 'secrets.cloud_key',
    title: 'The page contains a cloud account key',
    severity: 'high',
    revisited: true,
    why: 'Anyone can use the account as its owner: read storage, change servers and run up costs.',
    fix: {
      advice: `Deactivate the key now, then create a new one with the least privileges. For Azure Storage, renew the account key; for Google, reset the client secret under APIs & Services, Credentials. Check the account’s activity log for misuse. ${keepOnServer} For uploads from browsers, use presigned URLs or temporary credentials.`,
      steps: [
        {
          place: 'aws.shell',
          code: 'aws iam update-access-key --user-name deploy --access-key-id AKIAIOSFODNN7EXAMPLE --status Inactive',
          replace: { deploy: 'the user', AKIAIOSFODNN7EXAMPLE: 'the leaked key’s ID' },
          note: 'Run it with other credentials. When nothing depends on the key, delete it.',
        },
      ],
    },
    references: [
      'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
      'https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage',
      cwe798,
    ],
    safeguards: [impersonation, access],
  },
  databaseUrl: {
    id: 'secrets.database_url',
    title: 'The page contains a database connection string with its password',
    severity: 'critical',
    revisited: true,
    why: 'It contains everything needed to connect to the database and read or change its data.',
    fix: {
      advice: `Change the password now, allow connections only from the application’s addresses, and check the database log for unknown clients. ${keepOnServer}`,
    },
    references: [secretsManagement, cwe312],
    safeguards: [impersonation, access, password],
  },
  serviceRoleKey: {
    id: 'secrets.service_role_key',
    title: 'The page contains a Supabase key that bypasses row-level security',
    severity: 'critical',
    revisited: true,
    why: 'The service_role and secret keys bypass every row-level security policy: anyone can read and change all data of the project.',
    fix: {
      advice:
        'In the project’s settings, under API Keys, delete the leaked secret key. If it is a legacy key, switch to the new keys and disable the legacy ones, or rotate the JWT secret if you must keep them. In browsers, use the publishable or anon key, with row-level security on every table. Use secret keys only on servers and in Edge Functions.',
    },
    references: ['https://supabase.com/docs/guides/api/api-keys', cwe798],
    safeguards: [impersonation, access],
  },
  paymentKey: {
    id: 'secrets.payment_key',
    title: 'The page contains a secret key of a payment service',
    severity: 'critical',
    revisited: true,
    why: 'Anyone can read customers and payments, make refunds and payouts, or forge the service’s webhooks.',
    fix: {
      advice: `Rotate the key in the service’s dashboard now (Stripe: Developers, API keys, Rotate key; Square: Developer Console, Credentials, Replace) and check its request log. Use only the publishable key in browsers. ${keepOnServer}`,
    },
    references: ['https://docs.stripe.com/keys', secretsManagement],
    safeguards: [impersonation, access],
  },
  apiToken: {
    id: 'secrets.api_token',
    title: 'The page contains a secret API token',
    severity: 'high',
    revisited: true,
    why: 'Anyone who opens the page can use the service with the rights of the token’s owner, such as to read source code or send mail.',
    fix: {
      advice: `Revoke the token at the service that issued it now, create a new one with the least privileges, and check the service’s log for misuse. Then remove it from the page or bundle and rebuild. A token in an old bundle on a CDN stays public. ${keepOnServer}`,
    },
    references: [
      'https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns',
      secretsManagement,
      cwe798,
    ],
    safeguards: [impersonation, access],
  },
  webhookUrl: {
    id: 'secrets.webhook_url',
    title: 'The page contains a webhook URL',
    severity: 'medium',
    revisited: true,
    why: 'The URL is a secret: anyone who has it can send messages that readers trust, or start the workflow behind it.',
    fix: {
      advice: `Delete the webhook in the service and create a new one (Slack: the app’s Incoming Webhooks; Discord: Server Settings, Integrations). Post from your server: have the page call an endpoint of your own that validates and rate-limits messages. ${keepOnServer}`,
    },
    references: ['https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks', cwe312],
    safeguards: [],
  },
  urlPassword: {
    id: 'secrets.url_password',
    title: 'The page contains a URL with a username and password',
    severity: 'high',
    revisited: true,
    why: 'Anyone who opens the page can sign in at that URL.',
    fix: {
      advice: `Change the password now. Have visitors sign in themselves (with a session or OAuth), or request the content from your server. ${keepOnServer}`,
    },
    references: ['https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1', cwe312],
    safeguards: [impersonation, access, password],
  },
  googleApiKey: {
    id: 'secrets.google_api_key',
    title: 'The page contains a Google API key: check its restrictions',
    severity: 'info',
    revisited: true,
    why: 'These keys are often meant for browsers. Without restrictions, anyone can use up the project’s quota, and APIs with private data or costs may accept them.',
    fix: {
      advice:
        'In the Google Cloud console, under APIs & Services, Credentials, add an application restriction (Websites: your own hostnames) and an API restriction (only the APIs that the page uses). Keep keys for server APIs, such as Gemini, on a server. If the key is already restricted, accept this finding.',
    },
    references: [
      'https://docs.cloud.google.com/docs/authentication/api-keys#api_key_restrictions',
      'https://firebase.google.com/docs/projects/api-keys',
    ],
    safeguards: [],
  },
  likelySecret: {
    id: 'secrets.likely_secret',
    title: 'The page probably contains a secret',
    severity: 'medium',
    revisited: true,
    why: 'A variable is named as a secret or password, and its value appears to be generated. If it is one, anyone who opens the page can use it.',
    fix: {
      advice: `Find the variable in the page or bundle. If its value is secret, replace it where it is used, and check for misuse. ${keepOnServer} If the value is meant to be public, mark this finding as a false positive.`,
    },
    references: [secretsManagement, cwe798, cwe312],
    safeguards: [impersonation],
  },
} as const satisfies Record<string, Check>;
