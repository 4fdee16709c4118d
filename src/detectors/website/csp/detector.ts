import { targetLimits } from '../../../captures/limits.ts';
import type { WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { beginningOf } from '../../mask-secrets.ts';
import { obeysFrameOptions } from '../frame-ancestors.ts';
import { readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import { separatePolicies } from '../policy-directives.ts';
import { headerValue, headerValues, originOf, requireDocument } from '../response.ts';
import { cspChecks as checks } from './checks.ts';
import { detectReusedNonces } from './nonces.ts';
import { judgePolicy, type PolicyWeaknesses } from './policy.ts';

/**
 * The page's Content-Security-Policy, from headers and meta elements. Only documents need one: a redirect or
 * an API's JSON has no scripts to run.
 */
export const cspDetector: Detector<WebsiteCapture> = {
  name: 'website.csp',
  surface: 'website',
  reads: ['cors'],
  checks: Object.values(checks),
  perSubject: pageSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const { page } = capture;
    if (!page.assessed) return found.cannotAssess(Object.values(checks), page.reason);
    if (!requireDocument(found, Object.values(checks), page.value)) return;
    const origin = originOf(page.value.url);
    const fromHeaders = separatePolicies(headerValues(page.value, 'content-security-policy'));
    const fromMeta = separatePolicies(readMarkup(page.value).policies);
    const texts = [...fromHeaders, ...fromMeta];
    if (
      texts.length > targetLimits.policies ||
      texts.some(({ length }) => length > targetLimits.policyLength)
    )
      return found.cannotAssess(
        Object.values(checks),
        'The page has too many or too long policies for the scan to read.',
      );
    const { elementGap: gap } = readMarkup(page.value);
    if (gap !== null) found.cannotAssess(Object.values(checks), gap);
    const policies = [
      ...fromHeaders.map(text => judgePolicy(text, 'header')),
      ...fromMeta.map(text => judgePolicy(text, 'meta')),
    ];
    if (policies.length === 0) {
      const onlyReports = headerValue(page.value, 'content-security-policy-report-only') !== undefined;
      return found.observe(
        onlyReports ? checks.reportOnly : checks.missing,
        origin,
        onlyReports
          ? 'The page has a Content-Security-Policy-Report-Only header and no enforced policy.'
          : 'The page has no Content-Security-Policy, neither as a header nor as a meta element.',
      );
    }
    if (policies.some(({ protectsContent }) => protectsContent)) {
      detectScriptWeaknesses(found, origin, policies);
      detectReusedNonces(found, origin, capture);
      detectMissingDirectives(found, origin, policies, obeysFrameOptions(page.value));
    } else {
      const seen = 'The policy covers only framing, upgrades or reports, and does not stop injected scripts.';
      found.observe(checks.missing, origin, seen);
    }
    for (const place of policies.flatMap(policy => policy.invalid)) {
      found.observe(
        checks.invalid,
        `${origin} ${stable(place)}`,
        `Browsers ignore ${quoted(stable(place))}.`,
      );
    }
  }),
};

/** Browsers enforce every policy, so a weakness counts only if all policies have it. */
function detectScriptWeaknesses(
  found: DetectionBuilder,
  origin: string,
  policies: readonly PolicyWeaknesses[],
): void {
  const kinds: [Check, (policy: PolicyWeaknesses) => readonly string[]][] = [
    [checks.unsafeInline, policy => policy.unsafeInline],
    [checks.unsafeEval, policy => policy.unsafeEval],
    [checks.broadSource, policy => policy.broadSource],
    [checks.bypassHost, policy => policy.bypassHost],
  ];
  for (const [check, placesOf] of kinds) {
    if (!policies.every(policy => placesOf(policy).length > 0 || policy.leavesScriptsOpen)) continue;
    for (const place of policies.flatMap(placesOf)) {
      found.observe(check, `${origin} ${stable(place)}`, `The policy contains ${quoted(stable(place))}.`);
    }
  }
}

function detectMissingDirectives(
  found: DetectionBuilder,
  origin: string,
  policies: readonly PolicyWeaknesses[],
  framesRestricted: boolean,
): void {
  const [first, ...others] = policies;
  for (const directive of first?.missingDirectives ?? []) {
    if (!others.every(policy => policy.missingDirectives.includes(directive))) continue;
    // Without an effective X-Frame-Options, it is the finding that any site can frame the page.
    if (directive === 'frame-ancestors' && !framesRestricted) continue;
    found.observe(
      checks.missingDirective,
      `${origin} ${directive}`,
      directive === 'frame-ancestors'
        ? 'The policy has no frame-ancestors. X-Frame-Options replaces it for now.'
        : `The policy has no effective ${directive}.`,
      ...(directive === 'frame-ancestors' ? (['info'] as const) : []),
    );
  }
}

/** Nonces change with each response, and hashes with each build. */
function stable(place: string): string {
  return beginningOf(place.replace(/(nonce|sha\d{3})-[^'\s]{0,200}/g, '$1-...'), 200);
}
