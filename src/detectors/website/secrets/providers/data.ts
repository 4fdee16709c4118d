import { secretsChecks } from '../checks.ts';
import { onlyNear, type SecretRule } from '../rule.ts';
import { rulesOf } from '../shape.ts';
import { hasBech32Checksum } from '../token-checksum.ts';

const critical = { severity: 'critical' } as const;

/** Databases, warehouses and hosting of data. */
const databases: readonly SecretRule[] = rulesOf(secretsChecks.apiToken, [
  [
    'databricks-token',
    'a Databricks token',
    ['dapi{32 hex}', 'dapi{32 hex}-{1 digit}', '(dkea|dose|dsapi){32 hex}'],
  ],
  [
    'planetscale-token',
    'a PlanetScale password or token',
    '(pscale_pw_|pscale_tkn_|pscale_oauth_){32-64 dotted}',
    critical,
  ],
  [
    'supabase-access-token',
    'a Supabase access token',
    ['sbp_{40 lower}', '(sbp_oauth_|sbp_v0_){40 hex}'],
    critical,
  ],
  ['neon-key', 'a Neon API key', 'napi_{60-70 lower}', critical],
  [
    'mongodb-atlas-secret',
    'a client secret of a MongoDB Atlas service account',
    'mdb_sa_sk_{40 b64u}',
    critical,
  ],
  ['clickhouse-key', 'a ClickHouse Cloud key', '4b1d{38 b62}', critical],
  ['elastic-key', 'an Elastic Cloud key', 'essu_{40-160 b64}', critical],
  ['astra-token', 'an Astra DB token', 'AstraCS:{24 b62}:{64 hex}', critical],
  ['aiven-password', 'a password of an Aiven database', 'AVNS_{15-30 b64u}', critical],
  ['cockroach-key', 'a CockroachDB Cloud key', 'CCDB1_{22 b62}_{40 b62}', critical],
  ['confluent-secret', 'a Confluent Cloud secret', 'cflt{60 b64}', critical],
  ['dbt-token', 'a dbt Cloud token', '(dbtc_|dbtu_){30-60 b64u}'],
  ['xata-key', 'a Xata key', 'xau_{32-50 b62}', critical],
  ['fauna-key', 'a Fauna key', 'fnA{37 b64u}', onlyNear(/fauna/i)],
  ['airtable-token', 'an Airtable token', 'pat{14 b62}.{64 Hex}'],
  ['retool-key', 'a Retool key', 'retool_01{24-40 lower}'],
  ['tableau-token', 'a Tableau token', '{22 b64}==:{32 b62}'],
]);

/** Stores of secrets, networks and sign-in. */
const vaults: readonly SecretRule[] = rulesOf(secretsChecks.apiToken, [
  ['vault-token', 'a HashiCorp Vault token', ['hvs.{80-140 b64u}', '(hvb.|hvr.){90-300 b64u}'], critical],
  ['onepassword-service-token', 'a 1Password service account token', 'ops_eyJ{250-1500 b64}', critical],
  [
    'onepassword-secret-key',
    'a 1Password Secret Key',
    [
      'A3-{6 upper}-{11 upper}-{5 upper}-{5 upper}-{5 upper}',
      'A3-{6 upper}-{6 upper}-{5 upper}-{5 upper}-{5 upper}-{5 upper}',
    ],
    critical,
  ],
  ['bitwarden-token', 'a Bitwarden Secrets Manager token', '0.{uuid}.{30 b62}:{22 b64}==', critical],
  ['infisical-token', 'an Infisical token', 'st.{24 hex}.{32 hex}.{32 hex}', critical],
  [
    'doppler-token',
    'a Doppler token',
    [
      '(dp.pt.|dp.sa.|dp.ct.|dp.scim.|dp.audit.|dp.said.){40-44 b62}',
      'dp.st.{40-44 b62}',
      'dp.st.{2-35 b64u}.{40-44 b62}',
    ],
    critical,
  ],
  [
    'tailscale-key',
    'a Tailscale key',
    'tskey-(auth|api|client|scim|webhook)-{8-20 word}-{20-48 word}',
    critical,
  ],
  ['netbird-token', 'a NetBird token', 'nbp_{36 b62}', critical],
  ['defined-networking-token', 'a Defined Networking token', 'dnkey-{26 b64u}-{52 b64u}', critical],
  ['jumpcloud-key', 'a JumpCloud key', 'jca_{36 b62}', critical],
  ['stytch-secret', 'a Stytch secret', 'secret-live-{36-60 b64u}', critical],
  ['stytch-test-secret', 'a Stytch test secret', 'secret-test-{36-60 b64u}', { severity: 'low' }],
  ['portainer-token', 'a Portainer token', 'ptr_{40-60 b64}', critical],
  ['adobe-secret', 'an Adobe client secret', 'p8e-{32 b64u}'],
  ['maxmind-key', 'a MaxMind license key', '{6 b62}_{29 b62}_mmk'],
]);

/** Keys that are valid by themselves, without a service. */
const keys: readonly SecretRule[] = rulesOf(secretsChecks.privateKey, [
  [
    'age-key',
    'a private key of age',
    'AGE-SECRET-KEY-1{58 upper}',
    { accepts: match => hasBech32Checksum(match[0]) },
  ],
  [
    'nostr-key',
    'a private key of Nostr',
    'nsec1{58 bech32}',
    { accepts: match => hasBech32Checksum(match[0]) },
  ],
]);

export const dataRules: readonly SecretRule[] = [...databases, ...vaults, ...keys];
