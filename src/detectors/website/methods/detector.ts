import type { HttpResponse, MethodFacts, WebsiteCapture } from '../../../captures/website.ts';
import { DetectionBuilder } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { headerValues, withoutQuery } from '../response.ts';
import { methodsChecks as checks } from './checks.ts';

/** Of WebDAV (RFC 4918, 9) and no web page. PUT and DELETE alone are also what frameworks answer for any address. */
const davMethods = ['MKCOL', 'COPY', 'MOVE', 'LOCK', 'PROPPATCH'];

/** Methods that a server should not answer. Those that would write are read from its own list, never tried. */
export const methodsDetector: Detector<WebsiteCapture> = {
  name: 'website.methods',
  surface: 'website',
  depth: 'full',
  reads: ['methods'],
  checks: Object.values(checks),
  detect({ methods }) {
    const found = new DetectionBuilder();
    if (methods.assessed) {
      detectTrace(found, methods.value);
      detectWriting(found, methods.value);
    } else {
      found.cannotAssess(Object.values(checks), methods.reason);
    }
    return found.result();
  },
};

function detectTrace(found: DetectionBuilder, { url, trace }: MethodFacts): void {
  if (!trace.assessed) {
    found.cannotAssess([checks.trace], trace.reason);
    return;
  }
  const { status, echoes } = trace.value;
  // Error pages of development servers print the request too: they are another finding.
  if (status !== 200 || !echoes) return;
  found.observe(
    checks.trace,
    new URL(url).origin,
    'A TRACE request came back with the headers that it was sent with.',
  );
}

function detectWriting(found: DetectionBuilder, { url, options }: MethodFacts): void {
  if (!options.assessed) {
    found.cannotAssess([checks.writing], options.reason);
    return;
  }
  const offered = offeredBy(options.value);
  if (!davMethods.some(method => offered.includes(method))) return;
  const shown = offered.filter(method => [...davMethods, 'PUT', 'DELETE'].includes(method));
  found.observe(checks.writing, withoutQuery(url), `The server says that it allows ${shown.join(', ')}.`);
}

/** The methods of the Allow header (RFC 9110, 10.2.1), which IIS repeats as Public. */
function offeredBy(options: HttpResponse): string[] {
  const list = [...headerValues(options, 'allow'), ...headerValues(options, 'public')].join(',');
  return [...new Set(list.split(',').map(method => method.trim().toUpperCase()))].filter(method =>
    /^[A-Z]{1,20}$/.test(method),
  );
}
