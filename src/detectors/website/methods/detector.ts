import type { HttpResponse, MethodFacts, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { headerValues, withoutQuery } from '../response.ts';
import { methodsChecks as checks } from './checks.ts';

/** Methods of WebDAV (RFC 4918, 9). Frameworks list PUT and DELETE for any URL, so these alone do not count. */
const davMethods = ['MKCOL', 'COPY', 'MOVE', 'LOCK', 'PROPPATCH'];

/** Methods that a server should not support. Writing methods are read from the Allow header, never tried. */
export const methodsDetector: Detector<WebsiteCapture> = {
  name: 'website.methods',
  surface: 'website',
  depth: 'full',
  reads: ['methods'],
  checks: Object.values(checks),
  detect: detecting((found, { methods }) => {
    if (methods.assessed) {
      detectTrace(found, methods.value);
      detectWriting(found, methods.value);
    } else {
      found.cannotAssess(Object.values(checks), methods.reason);
    }
  }),
};

function detectTrace(found: DetectionBuilder, { url, trace }: MethodFacts) {
  if (!trace.assessed) return found.cannotAssess([checks.trace], trace.reason);
  const { status, echoes } = trace.value;
  // Error pages of development servers print the request too, which is another finding.
  if (status !== 200 || !echoes) return;
  found.observe(
    checks.trace,
    new URL(url).origin,
    'The response to a TRACE request contains the request’s headers.',
  );
}

function detectWriting(found: DetectionBuilder, { url, options }: MethodFacts) {
  if (!options.assessed) return found.cannotAssess([checks.writing], options.reason);
  const offered = offeredBy(options.value);
  if (!davMethods.some(method => offered.includes(method))) return;
  const shown = offered.filter(method => [...davMethods, 'PUT', 'DELETE'].includes(method));
  found.observe(checks.writing, withoutQuery(url), `The server’s Allow header lists ${shown.join(', ')}.`);
}

/** Methods of the Allow header (RFC 9110, 10.2.1), which IIS also sends as Public. */
function offeredBy(options: HttpResponse): string[] {
  const list = [...headerValues(options, 'allow'), ...headerValues(options, 'public')].join(',');
  return [...new Set(list.split(',').map(method => method.trim().toUpperCase()))].filter(method =>
    /^[A-Z]{1,20}$/.test(method),
  );
}
