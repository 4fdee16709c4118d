import { afterAll, beforeAll, expect, it } from 'vitest';
import { detectorsFor } from '../../detectors/catalogue.ts';
import type { Observation } from '../../detectors/detector.ts';
import { createTargetGuard } from '../../surfaces/connection/target-guard.ts';
import { collectWebsite } from '../../surfaces/website/collect.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite();
});
afterAll(() => site.close());

async function scan(): Promise<readonly Observation[]> {
  const guard = createTargetGuard({ allowlist: ['127.0.0.0/8', '::1/128'] });
  const capture = await collectWebsite(site.host, { guard, signal: AbortSignal.timeout(30_000) });
  return detectorsFor('website').flatMap(detector => detector.detect(capture).observations);
}

it('has findings of every family, with stable fingerprints and without secrets', async () => {
  const observations = await scan();
  expect([...new Set(observations.map(({ check }) => check))].sort()).toEqual([
    'cookies.prefix_broken',
    'cookies.session_in_url',
    'cookies.session_not_httponly',
    'cookies.session_not_secure',
    'cookies.session_samesite',
    'cors.reflects_origin',
    'csp.broad_source',
    'csp.missing_directive',
    'csp.unsafe_eval',
    'csp.unsafe_inline',
    'exposure.api_documentation',
    'exposure.backup',
    'exposure.ds_store',
    'exposure.secrets_file',
    'exposure.security_txt_missing',
    'exposure.server_status',
    'exposure.source_map',
    'exposure.version_control',
    'headers.cacheable_session',
    'headers.cross_origin_isolation',
    'headers.debug',
    'headers.framing_unrestricted',
    'headers.nosniff_missing',
    'headers.permissions_policy_missing',
    'headers.referrer_policy',
    'headers.version_banner',
    'page.no_integrity',
    'tls.certificate_expired',
    'tls.certificate_untrusted',
    'tls.legacy_protocol',
    'tls.no_tls13',
    'tls.weak_cipher',
    'transport.hsts_missing',
    'transport.insecure_form',
    'transport.mixed_content',
    'transport.no_redirect',
    'transport.password_over_http',
  ]);
  expect(JSON.stringify(observations)).not.toMatch(
    /sample-site-only|sample0session0id|8F3A5C7E9B1D2F46|c0ffee/,
  );
  const fingerprints = (list: readonly Observation[]) =>
    list.map(({ check, locator }) => `${check} ${locator}`);
  expect(fingerprints(await scan())).toEqual(fingerprints(observations));
});
