import { secretsChecks } from '../checks.ts';
import { onlyNear, type SecretRule } from '../rule.ts';
import { rulesOf } from '../shape.ts';
import { encodedObject, hasGrafanaChecksum } from '../token-checksum.ts';

/**
 * Monitoring, analytics and incidents. Keys that browsers send (Sentry's DSN, New Relic's NRJS and NRBR, Datadog's `pub…`,
 * PostHog's `phc_`) are not secrets.
 */
export const monitoringRules: readonly SecretRule[] = rulesOf(secretsChecks.apiToken, [
  [
    'grafana-token',
    'a Grafana token',
    'glsa_{32 b62}_{8 Hex}',
    { accepts: match => hasGrafanaChecksum(match[0]) },
  ],
  [
    'grafana-cloud-token',
    'a Grafana Cloud token',
    'glc_{32-400 b64}',
    { accepts: match => typeof encodedObject(match[0].slice(4))?.k === 'string' },
  ],
  [
    'grafana-api-key',
    'a Grafana API key',
    'eyJrIjoi{70-400 b64}',
    {
      accepts: match => {
        const object = encodedObject(match[0]);
        return typeof object?.k === 'string' && typeof object.n === 'string';
      },
    },
  ],
  ['new-relic-key', 'a New Relic user key', 'NRAK-{27 upper}'],
  ['new-relic-insert-key', 'a New Relic insert key', 'NRII-{25-32 b64u}', { severity: 'medium' }],
  ['new-relic-query-key', 'a New Relic query key', 'NRIQ-{25-32 b64u}'],
  [
    'new-relic-license-key',
    'a New Relic license key',
    ['{32 hex}FFFFNRAL', '{36 hex}NRAL', 'eu01xx{26-30 hex}(FFFFNRAL|NRAL)'],
    { severity: 'medium' },
  ],
  ['honeycomb-key', 'a Honeycomb key', '(hcaik_|hcxik_|hcalk_|hcbik_|hcamk_|hcxmk_){26-70 lower}'],
  [
    'dynatrace-token',
    'a Dynatrace token',
    [
      '(dt0c01.|dt0s01.|dt0s02.|dt0s06.|dt0s08.|dt0s16.){24 upper}.{64 upper}',
      '(dt0s02.|dt0s08.){8 upper}.{64 upper}',
      'dt0c01.{24 lower}.{64 lower}',
    ],
  ],
  ['datadog-app-key', 'a Datadog application key', 'ddapp_{34 b62}'],
  ['posthog-key', 'a PostHog personal key', '(phx_|phs_){43-48 word}'],
  ['segment-token', 'a Segment token', 'sgp_{64 b62}'],
  ['statsig-key', 'a Statsig server key', 'secret-{40-50 b62}'],
  ['growthbook-key', 'a GrowthBook key', '(secret_admin_|secret_user_|secret_readonly_){20-60 b62}'],
  ['logfire-token', 'a Logfire token', 'pylf_v1_(us|eu)_{40-50 b62}', { severity: 'medium' }],
  ['axiom-token', 'an Axiom token', '(xaat-|xapt-){uuid}'],
  ['checkly-key', 'a Checkly key', 'cu_{32 hex}'],
  ['rootly-token', 'a Rootly token', 'rootly_{64 hex}'],
  ['fullstory-key', 'a FullStory key', '(na1.|eu1.){100 b64}'],
  ['coralogix-key', 'a Coralogix key', '(cxtp_|cxth_|cxup_){30 b62}'],
  ['chromatic-token', 'a Chromatic project token', 'chpt_{12-20 hex}', { severity: 'medium' }],
  ['pagerduty-key', 'a PagerDuty key', 'u+{18 b64u}', onlyNear(/pager_?duty/i)],
  ['adafruit-key', 'an Adafruit IO key', 'aio_{28 b62}'],
  ['ubidots-token', 'a Ubidots token', 'BBFF-{30 b62}'],
  ['percy-token', 'a Percy token', 'web_{64 hex}'],
]);
