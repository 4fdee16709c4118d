import { describe, expect, it } from 'vitest';
import { findSecrets } from './find-secrets.ts';
import { b62, b64u, hex, random, uuid } from './planted/random.ts';

const found = (text: string) => findSecrets(text).rules.map(({ kind }) => kind);

/** Forms that services give out, besides those that a notation alone describes. */
describe('tokens as services write them', () => {
  const zeros = 'A'.repeat(20);
  it.each<[string, string]>([
    ['twitter-bearer-token', `${zeros}AMLheAAAAAAA0%2B${b62('x', 20)}%3D${b62('x secret', 50)}`],
    ['slack-token', `xoxb-2222${'22'}333355-3338485952222-${random('letters', 'alpha', 24)}`],
    ['square-token', `EAAA${b62('square', 60)}`],
    ['stripe-live-key', `sk_org_live_${b62('organization', 60)}`],
    ['salesforce-refresh-token', `5Aep861${b62('salesforce', 80)}`],
    ['gitlab-runner-token', `GR1348941${b64u('runner', 20)}`],
  ])('finds %s', (kind, token) => expect(found(`const x="${token}"`)).toEqual([kind]));

  it.each([
    `const x="xoxp-572370529330-573807301142-572331691188-####################"`,
    `<img src="/media/video_box.ico-${hex('icon', 32)}.png">`,
    `MailchimpSDK.initialize(token: ${hex('sdk', 32)}-us18)`,
    `"data:application/wasm;base64,AGFz/EAAA${b62('square', 60)}"`,
    `"${zeros}${'A'.repeat(12)}${b62('zeros', 90)}"`,
  ])('leaves %s', text => expect(found(text)).toEqual([]));
});

describe('lines of an environment', () => {
  const key = hex('line', 32);
  it.each([
    `NODE_ENV=production\nDATADOG_API_KEY=${key}\nPORT=80`,
    `DATADOG_API_KEY=${key}`,
    `{"env":"A=1\\nDATADOG_API_KEY=${key}\\nB=2"}`,
    `docker run -e DATADOG_API_KEY=${key} agent`,
    `NEXT_DATADOG_API_KEY=${key}`,
  ])('finds %s', text => expect(found(text)).toEqual(['datadog-key']));

  it.each([
    `?datadog_api_key=${key}`,
    `https://portal.clinic.net/?DATADOG_API_KEY=${key}`,
    `datadogKey=${key}`,
    `DATADOG_API_KEY=${key}${key}`,
    `DATADOG_API_KEY=${'0'.repeat(32)}`,
    `DATADOG_API_KEY=$DATADOG_API_KEY`,
  ])('leaves %s', text => expect(found(text)).toEqual([]));
});

it('leaves keys for browsers in headers and environments', () => {
  const keys = [
    `sb_publishable_${b64u('sb', 22)}_${b64u('sum', 8)}`,
    `pk.eyJ1Ijoi${b62('mapbox', 40)}.${b64u('mapbox', 22)}`,
    `phc_${b62('posthog', 43)}`,
    `sq0idp-${b64u('square', 22)}`,
    `mob-${uuid('mobile')}`,
  ];
  for (const key of keys) {
    expect(found(`{headers:{Authorization:"Bearer ${key}"}}`)).toEqual([]);
    expect(found(`APP_KEY=${key}\nB=1`)).toEqual([]);
  }
  expect(found(`{headers:{Authorization:"Bearer ${b62('private', 40)}"}}`)).toEqual(['bearer-token']);
});
