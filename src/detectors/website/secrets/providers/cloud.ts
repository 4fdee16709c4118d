import { secretsChecks } from '../checks.ts';
import { around, onlyNear, type SecretRule } from '../rule.ts';
import { rulesOf } from '../shape.ts';

const critical = { severity: 'critical' } as const;
const medium = { severity: 'medium' } as const;

/** A signed URL contains the key's ID without its secret, which is not a leak. */
export const signsRequest =
  /(?:X-Amz-Credential|Credential|AWSAccessKeyId|OSSAccessKeyId|q-ak|GoogleAccessId)(?:=|%3D|["'\s:=]{1,6}(?:value=)?["'])$|X-Amz-Signature|[?&;](?:amp;)?(?:Signature|q-signature)=/i;

/** The ID of a key counts unless it signs a URL. */
const identifies = {
  hasPartner: true,
  looksAround: true,
  accepts: (match: RegExpExecArray) => {
    const end = match.index + match[0].length;
    return (
      !signsRequest.test(match.input.slice(Math.max(0, match.index - 200), match.index)) &&
      !/[?&;]\w{0,12}(?:signature|policy)=/i.test(match.input.slice(end, end + 600))
    );
  },
} as const;

/** Key IDs that count only next to a secret of the same service. */
const besideSecret = (secret: RegExp) => ({
  hasPartner: true as const,
  looksAround: true as const,
  accepts: (match: RegExpExecArray) => secret.test(around(match, 300).replace(match[0], ' ')),
});

/**
 * Accounts of clouds. Keys of Azure contain a fixed text at a fixed place. Source: microsoft/security-utilities.
 */
export const cloudRules: readonly SecretRule[] = rulesOf(secretsChecks.cloudKey, [
  [
    'aws-bedrock-key',
    'an Amazon Bedrock key',
    // Base64 of `BedrockAPIKey-`.
    [
      'ABSKQmVkcm9ja0FQSUtleS{80-269 b64}',
      'ABSK{109-269 b64}',
      'bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{20-2000 b64}',
    ],
  ],
  ['aws-mws-token', 'an Amazon MWS token', 'amzn.mws.{uuid}'],
  [
    'azure-annotated-key',
    'a key of an Azure service',
    ['{52 b62}JQQJ99{26 b62}', '{52 b62}(JQQJ9D|JQQJ9H){26 b62}'],
    critical,
  ],
  ['azure-function-key', 'a key of Azure Functions', '{44 b64u}AzFu{5 b64u}{1 b64u}=='],
  ['azure-search-key', 'an admin key of Azure AI Search', '{42 b62}AzSe{6 b62}'],
  ['azure-storage-key', 'the key of an Azure storage account', '{76 b64}+ASt{6 b64}==', critical],
  ['azure-cosmos-key', 'a key of Azure Cosmos DB', '{76 b64}ACDb{6 b64}==', critical],
  ['azure-batch-key', 'a key of Azure Batch', '{76 b64}+ABa{6 b64}==', critical],
  ['azure-machine-learning-key', 'a key of Azure Machine Learning', '{76 b64}+AMC{6 b64}=='],
  ['azure-api-management-key', 'a key of Azure API Management', '{76 b64}APIM{6 b64}=='],
  ['azure-git-key', 'a Git password of Azure API Management', 'git&{12 digit}&{86 b64}=='],
  ['azure-redis-key', 'a key of Azure Cache for Redis', '{33 b64}AzCa{5 b64}{1 b64}=', critical],
  ['azure-registry-key', 'a password of Azure Container Registry', '{42 b64}+ACR{6 b62}', critical],
  [
    'azure-messaging-key',
    'a key of Azure Service Bus, Event Hubs or Relay',
    '{33 b64}(+ASb|+AEh|+ARm){5 b64}{1 b64}=',
  ],
  ['azure-iot-key', 'a key of Azure IoT Hub', '{33 b64}AIoT{5 b64}{1 b64}='],
  ['azure-event-grid-key', 'a key of Azure Event Grid', '{33 b64}AZEG{5 b64}{1 b64}='],
  [
    'entra-refresh-token',
    'a refresh token of Microsoft Entra ID',
    '(0.A|1.A){50-400 b64u}.Ag{200-2000 b64u}',
  ],
  ['google-refresh-token', 'a Google refresh token', '1//0{1 lower}{40-160 b64u}'],
  ['google-access-token', 'a Google access token, which is valid for an hour', 'ya29.{60-400 b64u}', medium],
  [
    'google-hmac-key',
    'a Google Cloud Storage key with its secret',
    'GOOG1E{57 upper}',
    besideSecret(/(?<![\w/+])[\w/+]{40}(?![\w/+=])/),
  ],
  ['alibaba-key-id', 'the ID of an Alibaba Cloud access key', 'LTAI{17-21 b62}', identifies],
  ['tencent-key-id', 'the ID of a Tencent Cloud key', 'AKID{32-48 b62}', identifies],
  ['baidu-key', 'a Baidu AI Cloud key', 'bce-v3/ALTAK-{21 b62}/{40 hex}', critical],
  ['baidu-key-id', 'the ID of a Baidu Cloud access key', 'ALTAK{21 b62}', identifies],
  ['volcengine-key-id', 'the ID of a Volcengine access key', 'AKLT{42-60 b62}', identifies],
  ['yandex-key', 'a Yandex Cloud API key', 'AQVN{35-38 b64u}'],
  [
    'yandex-iam-token',
    'a Yandex Cloud IAM token, which is valid for 12 hours',
    't1.{8-200 b64u}.{86 b64u}',
    medium,
  ],
  ['yandex-static-key', 'a Yandex Object Storage secret', 'YC{38 b64u}', onlyNear(/yandex/i)],
  ['yandex-oauth-token', 'a Yandex OAuth token', '(y0_|y1_|y2_|y3_)Ag{50-60 b64u}'],
  [
    'digitalocean-spaces-key',
    'a DigitalOcean Spaces key with its secret',
    'DO(00|801){17-18 upper}',
    besideSecret(/(?<![\w/+])[\w/+]{43}(?![\w/+=])/),
  ],
  [
    'scaleway-key',
    'a Scaleway key with its secret',
    'SCW{17 upper}',
    besideSecret(/secret[\w"'\s\\]{0,12}[:=,]["'\s\\]{0,4}[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i),
  ],
  [
    'exoscale-key',
    'an Exoscale key with its secret',
    'EXO{26 hex}',
    besideSecret(/secret[\w"'\s\\]{0,12}[:=,]["'\s\\]{0,4}[\w-]{43}(?![\w-])/i),
  ],
  ['upcloud-token', 'an UpCloud token', 'ucat_{26 upper}', critical],
  [
    'akamai-token',
    'an Akamai client token with its secret',
    'akab-{16 lower}-{16 lower}',
    besideSecret(/client_?secret[\w"'\s\\]{0,4}[:=,]["'\s\\]{0,4}[\w+/]{43}=/i),
  ],
  ['backblaze-key', 'a Backblaze application key', 'K00{1 digit}{27 b64}', onlyNear(/backblaze|\bb2_/i)],
  ['cloudflare-token', 'a Cloudflare token', '(cfut_|cfat_|cfk_){40 b62}{8 hex}', critical],
  ['cloudflare-origin-key', 'a Cloudflare Origin CA key', 'v1.0-{24 hex}-{146 hex}', critical],
  ['google-client-secret', 'a Google OAuth client secret', 'GOCSPX-{28 b64u}'],
]);
