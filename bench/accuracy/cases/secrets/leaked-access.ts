import {
  b62,
  b64u,
  hex,
  jwt,
  pem,
  random,
  uuid,
} from '../../../../src/detectors/website/secrets/planted/random.ts';
import { grafanaToken } from '../../../../src/detectors/website/secrets/planted/sample.ts';
import type { Leak } from './leaked.ts';

const day = 86_400;
const now = Math.floor(Date.now() / 1_000);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const upper = (seed: string, length: number) => random(seed, 'upper', length);
const _aws = `AKIA${random('case aws', 'b32', 16)}`;
const host = 'db-prod.clinic-data.net';
const password = b62('case db', 16);

/** Messages, models, data and logins that applications publish by mistake. */
export const accessLeaks: readonly Leak[] = [
  [
    'Slack',
    'secrets.api_token slack-token',
    `new WebClient("xoxb-${random('s', 'digit', 12)}-${random('t', 'digit', 13)}-${b62('case slack', 24)}")`,
  ],
  [
    'a bot of Telegram',
    'secrets.api_token',
    `fetch("https://api.telegram.org/bot${random('b', 'digit', 10)}:AA${b64u('case bot', 33)}/sendMessage")`,
  ],
  [
    'a bot of Discord',
    'secrets.api_token',
    `client.login("${base64('987654321098765432').replace(/=+$/, '')}.${b62('case d', 6)}.${b64u('case discord', 38)}")`,
  ],
  ['SendGrid', 'secrets.api_token', `sgMail.setApiKey("SG.${b64u('case sg', 22)}.${b64u('case sg 2', 43)}")`],
  [
    'Mailgun',
    'secrets.api_token',
    `mailgun({apiKey:"key-${hex('case mailgun', 32)}",domain:"mg.clinic.com"})`,
  ],
  [
    'Twilio',
    'secrets.api_token',
    `Twilio({accountSid:"AC${hex('case sid', 32)}",authToken:"${hex('case twilio', 32)}"})`,
  ],
  [
    'OpenAI',
    'secrets.api_token openai-key',
    `new OpenAI({apiKey:"sk-proj-${b64u('case openai', 74)}T3BlbkFJ${b64u('case openai 2', 74)}",dangerouslyAllowBrowser:!0})`,
  ],
  [
    'an old key of OpenAI',
    'secrets.api_token openai-key',
    `REACT_APP_OPENAI_KEY:"sk-${b62('case openai 3', 20)}T3BlbkFJ${b62('case openai 4', 20)}"`,
  ],
  ['Anthropic', 'secrets.api_token', `{"x-api-key":"sk-ant-api03-${b64u('case anthropic', 93)}AA"}`],
  ['Gemini', 'secrets.api_token', `new GoogleGenerativeAI("AIza${b64u('case gemini', 35)}")`],
  ['Hugging Face', 'secrets.api_token', `new HfInference("hf_${random('case hf', 'alpha', 34)}")`],
  [
    'DeepSeek',
    'secrets.api_token',
    `{baseURL:"https://api.deepseek.com",apiKey:"sk-${hex('case deepseek', 32)}"}`,
  ],
  [
    'Pinecone',
    'secrets.api_token',
    `new Pinecone({apiKey:"pcsk_${b62('p', 5)}_${b62('case pinecone', 63)}"})`,
  ],
  ['Shopify', 'secrets.api_token', `{"X-Shopify-Access-Token":"shpat_${hex('case shopify', 32)}"}`],
  ['HubSpot', 'secrets.api_token', `new Client({accessToken:"pat-na1-${uuid('case hubspot')}"})`],
  [
    'Notion',
    'secrets.api_token',
    `new Notion({auth:"ntn_${random('n', 'digit', 11)}${b62('case notion', 35)}"})`,
  ],
  [
    'Airtable',
    'secrets.api_token',
    `Airtable.configure({apiKey:"pat${b62('case airtable', 14)}.${hex('case airtable 2', 64)}"})`,
  ],
  [
    'Contentful management',
    'secrets.api_token',
    `createClient({accessToken:"CFPAT-${b64u('case contentful', 43)}"})`,
  ],
  ['Grafana', 'secrets.api_token', `{headers:{Authorization:"Bearer ${grafanaToken('case grafana')}"}}`],
  ['Sentry', 'secrets.api_token', `SENTRY_AUTH_TOKEN:"sntryu_${hex('case sentry', 64)}"`],
  [
    'RapidAPI',
    'secrets.api_token',
    `{"X-RapidAPI-Key":"${hex('r', 10)}msh${hex('case rapid', 15)}p1${hex('a', 5)}jsn${hex('b', 12)}"}`,
  ],
  [
    'Mapbox',
    'secrets.api_token',
    `mapboxgl.accessToken="sk.${base64(`{"u":"clinic","a":"${b62('case mapbox', 24)}"}`)}.${b64u('case mapbox 2', 22)}"`,
  ],
  ['Vault', 'secrets.api_token', `{"X-Vault-Token":"hvs.${b64u('case vault', 90)}"}`],
  [
    'Supabase service role',
    'secrets.service_role_key',
    `createClient(u,"${jwt({ iss: 'supabase', ref: 'abcdefghijklmnopqrst', role: 'service_role', iat: now - day, exp: now + 3_600 * day })}")`,
  ],
  [
    'a secret key of Supabase',
    'secrets.service_role_key',
    `NEXT_PUBLIC_SUPABASE_KEY:"sb_secret_${b64u('case sb', 22)}_${b64u('s', 8)}"`,
  ],
  [
    'a token of an administrator',
    'secrets.api_token privileged-jwt',
    `{headers:{Authorization:"Bearer ${jwt({ sub: '1', role: 'admin', iat: now - day })}"}}`,
  ],
  [
    'a private key over several strings',
    'secrets.private_key',
    `const k=${pem('RSA PRIVATE KEY', 'case rsa')
      .split('\n')
      .map(line => `"${line}\\n"`)
      .join('+\n')};`,
  ],
  [
    'a private JSON Web Key',
    'secrets.private_key',
    `{"kty":"EC","crv":"P-256","x":"${b64u('jx', 43)}","y":"${b64u('jy', 43)}","d":"${b64u('case jwk', 43)}"}`,
  ],
  [
    'PostgreSQL',
    'secrets.database_url',
    `DATABASE_URL:"postgresql://portal:${password}@${host}:5432/portal?sslmode=require"`,
  ],
  [
    'MongoDB',
    'secrets.database_url',
    `mongoose.connect("mongodb+srv://portal:${password}@cluster0.x1y2z.mongodb.net/portal")`,
  ],
  [
    'SQL Server',
    'secrets.database_url',
    `{"ConnectionStrings":{"Default":"Server=tcp:${host},1433;Database=portal;User ID=portal;Password=${password};Encrypt=True"}}`,
  ],
  [
    'JDBC',
    'secrets.database_url',
    `url: "jdbc:mysql://${host}:3306/portal?user=portal&password=${password}"`,
  ],
  [
    'a webhook of Slack',
    'secrets.webhook_url',
    `fetch("https://hooks.slack.com/services/T${upper('t', 10)}/B${upper('b', 10)}/${b62('case hook', 24)}",{method:"POST"})`,
  ],
  [
    'a webhook of Discord, escaped',
    'secrets.webhook_url',
    `{"hook":"https:\\u002F\\u002Fdiscord.com\\u002Fapi\\u002Fwebhooks\\u002F${random('d', 'digit', 18)}\\u002F${b64u('case dh', 68)}"}`,
  ],
  [
    'a workflow of Power Automate',
    'secrets.webhook_url',
    `const f="https://prod-71.westeurope.logic.azure.com:443/workflows/${hex('case flow', 32)}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${b64u('case sig', 43)}"`,
  ],
  [
    'a password in a URL',
    'secrets.url_password',
    `fetch("https://portal:${password}@api.clinic-data.net/v1/patients")`,
  ],
  [
    'a client secret of an own service',
    'secrets.likely_secret',
    `{grant_type:"client_credentials",client_id:"portal",client_secret:"${b64u('case own', 43)}"}`,
  ],
  ['a key that signs sessions', 'secrets.likely_secret', `JWT_SECRET:"${hex('case jwt', 64)}"`],
  [
    'a password of a mail server',
    'secrets.likely_secret',
    `{host:"smtp.clinic.com",smtpUser:"portal",smtpPassword:"${['mQ7x', 'R2vK9tZ4'].join('')}"}`,
  ],
  [
    'a fixed token of an own service',
    'secrets.likely_secret bearer-token',
    `axios.defaults.headers.common["Authorization"]="Bearer ${b64u('case bearer', 48)}"`,
  ],
  ['a key of Datadog', 'secrets.likely_secret', `{DATADOG_API_KEY:"${hex('case datadog', 32)}"}`],
];
