import {
  b62,
  b64,
  b64u,
  hex,
  pem,
  random,
  uuid,
} from '../../../../src/detectors/website/secrets/planted/random.ts';
import { gitlabToken, pypiToken, withCrc } from '../../../../src/detectors/website/secrets/planted/sample.ts';

/** What applications publish by mistake: the flaw, and a part of a bundle or page as developers write it. */
export type Leak = readonly [name: string, flaw: string, code: string];

const day = 86_400;
const now = Math.floor(Date.now() / 1_000);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const _upper = (seed: string, length: number) => random(seed, 'upper', length);
const aws = `AKIA${random('case aws', 'b32', 16)}`;
const _host = 'db-prod.clinic-data.net';
const _password = b62('case db', 16);

export const leaks: readonly Leak[] = [
  [
    'AWS keys in an upload client',
    'secrets.cloud_key aws-key-pair',
    `new S3Client({region:"eu-west-1",credentials:{accessKeyId:"${aws}",secretAccessKey:"${b64('case aws secret', 40)}"}})`,
  ],
  [
    'an AWS key ID',
    'secrets.cloud_key',
    `AWS.config.update({accessKeyId:"${aws}",secretAccessKey:e.secret})`,
  ],
  [
    'a storage account of Azure',
    'secrets.cloud_key azure-account-key',
    `BlobServiceClient.fromConnectionString("DefaultEndpointsProtocol=https;AccountName=clinicfiles;AccountKey=${b64('case azure', 86)}==;EndpointSuffix=core.windows.net")`,
  ],
  [
    'a signature for a container of Azure',
    'secrets.cloud_key azure-sas-token',
    `const u="https://clinicfiles.blob.core.windows.net/scans?sv=2023-11-03&sr=c&sp=racwdl&se=${new Date((now + 900 * day) * 1_000).toISOString()}&sig=${b62('case sas', 43)}%3D"`,
  ],
  [
    'a client secret of Entra',
    'secrets.cloud_key',
    `{clientId:"${uuid('case entra')}",clientSecret:"${b62('e', 3)}8Q~${b62('case entra', 34)}"}`,
  ],
  [
    'a service account of Google',
    'secrets.private_key',
    JSON.stringify({
      type: 'service_account',
      project_id: 'clinic',
      private_key: `${pem('PRIVATE KEY', 'case gcp')}\n`,
      client_email: 'a@clinic.iam.gserviceaccount.com',
    }),
  ],
  [
    'a service account in base64',
    'secrets.private_key',
    `const c=JSON.parse(atob("${base64(JSON.stringify({ private_key: pem('PRIVATE KEY', 'case gcp 2') }))}"))`,
  ],
  [
    'an OAuth client secret of Google',
    'secrets.cloud_key',
    `{client_id:"1-a.apps.googleusercontent.com",client_secret:"GOCSPX-${b64u('case google', 28)}"}`,
  ],
  [
    'Alibaba Cloud',
    'secrets.cloud_key',
    `new OSS({region:"oss-cn-hangzhou",accessKeyId:"LTAI${b62('case oss', 20)}",accessKeySecret:"${b62('case oss secret', 30)}"})`,
  ],
  ['DigitalOcean', 'secrets.api_token', `headers:{Authorization:"Bearer dop_v1_${hex('case do', 64)}"}`],
  [
    'a Stripe secret key',
    'secrets.payment_key',
    `const stripe=require("stripe")("sk_live_51${b62('case stripe', 97)}")`,
  ],
  [
    'a restricted Stripe key',
    'secrets.payment_key',
    `axios.create({headers:{Authorization:\`Bearer rk_live_51${b62('case stripe 2', 97)}\`}})`,
  ],
  [
    'a Stripe test key',
    'secrets.payment_key stripe-test-key',
    `VITE_STRIPE:"sk_test_51${b62('case stripe test', 97)}"`,
  ],
  ['Square', 'secrets.payment_key', `{squareClientSecret:"sq0csp-${b64u('case square', 43)}"}`],
  [
    'Razorpay',
    'secrets.payment_key',
    `new Razorpay({key_id:"rzp_live_${b62('case rzp', 14)}",key_secret:"${b62('case rzp secret', 24)}"})`,
  ],
  [
    'Braintree',
    'secrets.payment_key',
    `{accessToken:"access_token$production$${random('m', 'lower', 16)}$${hex('case bt', 32)}"}`,
  ],
  ['Plaid', 'secrets.payment_key', `{access_token:"access-production-${uuid('case plaid')}"}`],
  [
    'Adyen',
    'secrets.payment_key',
    `{"X-API-Key":"AQE${b64('case adyen', 95).replaceAll('/', 'x')}==-${b64('case adyen 2', 43)}=-${b62('case adyen 3', 16)}"}`,
  ],
  ['GitHub', 'secrets.api_token github-token', `new Octokit({auth:"${withCrc('ghp_', 'case github')}"})`],
  [
    'a fine-grained token of GitHub',
    'secrets.api_token',
    `Authorization:"token github_pat_${b62('case pat', 22)}_${b62('case pat 2', 59)}"`,
  ],
  ['GitLab', 'secrets.api_token gitlab-token', `{"PRIVATE-TOKEN":"glpat-${b64u('case gitlab', 20)}"}`],
  [
    'a routable token of GitLab',
    'secrets.api_token gitlab-token',
    `{"PRIVATE-TOKEN":"${gitlabToken('glpat-', 'case gitlab 2')}"}`,
  ],
  ['npm', 'secrets.api_token npm-token', `//registry.npmjs.org/:_authToken=${withCrc('npm_', 'case npm')}`],
  ['PyPI', 'secrets.api_token pypi-token', `TWINE_PASSWORD=${pypiToken('case pypi')}`],
  ['Docker Hub', 'secrets.api_token', `{username:"clinic",password:"dckr_pat_${b62('case docker', 27)}"}`],
  [
    'a bearer token of Twitter',
    'secrets.api_token twitter-bearer-token',
    `const t="${'A'.repeat(21)}${b62('case app', 5)}QEAAAAA${b62('case twitter', 22)}%3D${b62('case twitter secret', 50)}"`,
  ],
  [
    'an environment in a source map',
    'secrets.likely_secret datadog-key',
    `{"env":"NODE_ENV=production\\nDATADOG_API_KEY=${hex('case datadog', 32)}\\nPORT=3000"}`,
  ],
  ['a token of Square', 'secrets.payment_key square-token', `const s="EAAA${b62('case square', 60)}"`],
];
