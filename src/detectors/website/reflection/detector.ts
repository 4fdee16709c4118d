import { isOwnAnswer, pageTraits } from '../../../captures/own-answer.ts';
import { parameterOf } from '../../../captures/places.ts';
import type { ReflectionProbe, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { mediaType, unreadReason, withoutQuery } from '../response.ts';
import { standInReason } from '../stand-in.ts';
import { reflectionChecks as checks } from './checks.ts';
import { type Reflected, reflectedAs } from './reflected-as.ts';

const sentences: Record<Reflected, string> = {
  element: 'opens an element of the page',
  attribute: 'ends the value of an attribute',
  script: 'appears unencoded in a script, including quotes and tags',
};

/** Query parameters whose text becomes part of the page's structure. */
export const reflectionDetector: Detector<WebsiteCapture> = {
  name: 'website.reflection',
  surface: 'website',
  depth: 'full',
  reads: ['reflections'],
  checks: Object.values(checks),
  detect: detecting((found, { reflections }) => {
    if (!reflections.assessed) return found.cannotAssess(Object.values(checks), reflections.reason);
    // Links change daily: a parameter that this scan did not test may still have the problem.
    found.assessesOnly(
      checks.markup,
      reflections.value.flatMap(probe => detectReflection(found, probe)),
    );
  }),
};

/** The places that were assessed. */
function detectReflection(found: DetectionBuilder, probe: ReflectionProbe): string[] {
  const { url, parameters, harmless, response } = probe;
  if (!response.assessed) {
    found.cannotAssess([checks.markup], response.reason);
    return [];
  }
  const { status, body_unread, body_truncated } = response.value;
  if (body_unread !== null) {
    found.cannotAssess([checks.markup], body_unread);
    return [];
  }
  // Firewalls reject the test text, and redirects lead to a page that may show it: neither is the page's own response.
  const isOfPage = status < 300 || status === 400 || status === 404 || status === 422;
  const standIn = standInReason(response.value);
  if (!isOfPage || standIn !== null) {
    found.cannotAssess(
      [checks.markup],
      standIn ?? `A request with test text in a parameter gets status ${status}.`,
    );
    return [];
  }
  const placeOf = (name: string) => parameterOf(withoutQuery(url), name);
  const type = mediaType(response.value);
  const isHtml = ['', 'text/html', 'application/xhtml+xml'].includes(type);
  const markers = parameters.map(({ marker }) => marker);
  const { reflected, gap } = isHtml
    ? reflectedAs(response.value.body, markers)
    : { reflected: new Map<string, Reflected>(), gap: null };
  if (gap !== null) found.cannotAssess([checks.markup], gap);
  for (const { name, marker } of parameters) {
    const how = reflected.get(marker);
    if (how === undefined) continue;
    const sentence = `Text from the parameter ${quoted(name, 60)} ${sentences[how]}.`;
    found.observe(checks.markup, placeOf(name), sentence);
  }
  if (body_truncated && isHtml) {
    found.cannotAssess([checks.markup], unreadReason('page'));
  }
  const marked = pageTraits(status, response.value.body, markers);
  const isOwn = harmless.assessed && isOwnAnswer(harmless.value, marked);
  if (!isOwn) {
    const reason = harmless.assessed
      ? `A parameter with markup gets a different page than one with letters (status ${status}).`
      : harmless.reason;
    found.cannotAssess([checks.markup], reason);
  }
  const isWhole = !body_truncated && gap === null && isOwn;
  return parameters.filter(({ marker }) => isWhole || reflected.has(marker)).map(({ name }) => placeOf(name));
}
