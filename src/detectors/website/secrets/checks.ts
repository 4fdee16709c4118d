import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const impersonation = lowers(
  safeguards.authentication,
  'Whoever reads the secret on the page is taken for its owner.',
);
const access = lowers(
  safeguards.accessControl,
  'The secret opens data and services to everyone who visits the page.',
);
const password = lowers(safeguards.passwordManagement, 'The password is published with the page.');

const cwe312 = 'https://cwe.mitre.org/data/definitions/312.html';
const cwe798 = 'https://cwe.mitre.org/data/definitions/798.html';
const secretsManagement =
  'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html';
/** What bundlers put into a browser's script, and how it gets there by mistake. */
const keepOnServer =
  'Call the service from your server and keep the value in its environment. Bundlers publish what the prefix marks as public: NEXT_PUBLIC_, VITE_, REACT_APP_, NUXT_PUBLIC_, EXPO_PUBLIC_ must not name a secret.';

export const secretsChecks = {
  privateKey: {
    id: 'secrets.private_key',
    title: 'A private key is published with the page',
    severity: 'critical',
    revisited: true,
    why: 'Whoever opens the page holds the key, and can sign, decrypt or log in as its owner until the key is replaced.',
    fix: {
      advice: `Make a new key pair, replace the key everywhere it is used and revoke the old one (a certificate at its authority, a Google service account key with \`gcloud iam service-accounts keys delete\`). Then remove the key from the page or bundle. ${keepOnServer}`,
    },
    references: ['https://www.rfc-editor.org/rfc/rfc7468#section-10', cwe312],
    safeguards: [impersonation, access],
  },
  cloudKey: {
    id: 'secrets.cloud_key',
    title: 'A key of a cloud account is published with the page',
    severity: 'high',
    revisited: true,
    why: 'With it anyone can use the account in its owner’s name: read storage, change servers and run up costs.',
    fix: {
      advice: `Deactivate the key now, then make a new one with the fewest rights that do. AWS: \`aws iam update-access-key --access-key-id ID --status Inactive\`; Azure storage: \`az storage account keys renew\`; Google: reset the client secret under APIs & Services, Credentials. Look through the account’s activity log for its use. ${keepOnServer} For uploads by browsers use presigned URLs or temporary credentials.`,
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
    title: 'The address of a database with its password is published with the page',
    severity: 'critical',
    revisited: true,
    why: 'It has all that is needed to log in to the database and to read or change what is stored there.',
    fix: {
      advice: `Change the password now (PostgreSQL: \`ALTER ROLE name PASSWORD '…'\`, MySQL: \`ALTER USER … IDENTIFIED BY '…'\`), let only the application’s addresses reach the database, and look through its log for strangers. ${keepOnServer}`,
    },
    references: [secretsManagement, cwe312],
    safeguards: [impersonation, access, password],
  },
  serviceRoleKey: {
    id: 'secrets.service_role_key',
    title: 'A Supabase key that bypasses row security is published with the page',
    severity: 'critical',
    revisited: true,
    why: 'The service_role and secret keys ignore every row-level security policy: anyone with one reads and changes all data of the project.',
    fix: {
      advice:
        'Use the publishable or anon key in browsers, with row-level security on every table. In the project’s settings, under API Keys, delete the leaked secret key, or move from the legacy keys to the new ones and disable the legacy ones (rotate the JWT secret if you must keep them). Use secret keys only in servers and Edge Functions.',
    },
    references: ['https://supabase.com/docs/guides/api/api-keys', cwe798],
    safeguards: [impersonation, access],
  },
  paymentKey: {
    id: 'secrets.payment_key',
    title: 'A secret key of a payment service is published with the page',
    severity: 'critical',
    revisited: true,
    why: 'With it anyone can read customers and payments, make refunds and payouts, or forge the service’s messages.',
    fix: {
      advice: `Roll the key in the service’s dashboard now (Stripe: Developers, API keys, Rotate key; Square: Developer Console, Credentials, Replace) and look through its request log. Browsers get the publishable key only. ${keepOnServer}`,
    },
    references: ['https://docs.stripe.com/keys', secretsManagement],
    safeguards: [impersonation, access],
  },
  apiToken: {
    id: 'secrets.api_token',
    title: 'A secret token of a service is published with the page',
    severity: 'high',
    revisited: true,
    why: 'Anyone who opens the page can use the service with the rights of the token’s owner: source code, messages, mail or models.',
    fix: {
      advice: `Revoke the token at the service that issued it now, make a new one with the fewest rights that do, and look through the service’s log for its use. Then remove it from the page or bundle and build again: a token in an old bundle on a CDN stays readable. ${keepOnServer}`,
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
    title: 'The address of a chat webhook is published with the page',
    severity: 'medium',
    revisited: true,
    why: 'The address is its own password: anyone can post into the channel as the integration, with links that its readers trust.',
    fix: {
      advice: `Delete the webhook in the chat service and make a new one (Slack: the app’s Incoming Webhooks; Discord: Server Settings, Integrations). Post from your server: let the page send to an endpoint of your own that checks and limits what it passes on. ${keepOnServer}`,
    },
    references: ['https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks', cwe312],
    safeguards: [],
  },
  urlPassword: {
    id: 'secrets.url_password',
    title: 'An address with user name and password is published with the page',
    severity: 'high',
    revisited: true,
    why: 'Anyone who opens the page can log in to that address with what is written in it.',
    fix: {
      advice: `Change the password now. Let browsers log in themselves (a session, or an OAuth flow), or fetch what is needed from your server. ${keepOnServer}`,
    },
    references: ['https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1', cwe312],
    safeguards: [impersonation, access, password],
  },
  googleApiKey: {
    id: 'secrets.google_api_key',
    title: 'A Google API key is in the page: check how it is restricted',
    severity: 'info',
    revisited: true,
    why: 'Such keys are often meant for browsers, but without restrictions anyone can spend the project’s quota, and APIs with private data or costs may accept them.',
    fix: {
      advice:
        'In the Google Cloud console, under APIs & Services, Credentials, give the key an application restriction (Websites: your own host names) and an API restriction (only what the page uses). Keys for server APIs, such as Gemini, belong on a server. If the key is restricted already, accept this finding.',
    },
    references: [
      'https://docs.cloud.google.com/docs/authentication/api-keys#api_key_restrictions',
      'https://firebase.google.com/docs/projects/api-keys',
    ],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
