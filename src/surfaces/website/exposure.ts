import { randomBytes } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { type ExposureKind, exposurePaths } from '../../evidence/exposure-paths.ts';
import type { Assessment, ExposureEvidence, ExposureProbe, HttpResponse } from '../../evidence/website.ts';
import { reasonFor } from './failure.ts';
import type { HttpClient } from './http-client.ts';

/** Enough of a body for its signature. Little of a secret is ever held, and none is stored. */
const keptBytes = 4 * 1024;

/** Pages for missing files are read to their end, so that the connection can be used again. */
const readBytes = 64 * 1024;

const maxSourceMaps = 2;
const maxFailures = 3;

/**
 * Asks for the fixed list of paths without any credential: what counts is what everyone can read. A path that
 * nobody made comes first, for comparison. Stops when the site asks for less (429, 503) or keeps failing.
 */
export async function probeExposure(
  client: HttpClient,
  origin: string,
  page: HttpResponse | null,
): Promise<ExposureEvidence> {
  const ask = (path: string) => fetchPath(client, new URL(path, origin));
  const control = await ask(`/${randomBytes(12).toString('hex')}`);
  const probes: ExposureProbe[] = [];
  let stop = whyStop(control);
  let failures = 0;
  for (const { path, kind } of [...exposurePaths, ...sourceMapPaths(page, origin)]) {
    const response: Assessment<HttpResponse> =
      stop === null ? await ask(path) : { assessed: false, reason: stop };
    probes.push({ path, kind, response });
    failures = response.assessed ? 0 : failures + 1;
    stop ??= whyStop(response);
    if (failures >= maxFailures) stop ??= 'The site stopped answering.';
  }
  return { origin, control, probes };
}

async function fetchPath(client: HttpClient, url: URL): Promise<Assessment<HttpResponse>> {
  try {
    const value = await client.get(url, { readLimit: readBytes, keepLimit: keptBytes, encoding: 'latin1' });
    return { assessed: true, value };
  } catch (error) {
    return { assessed: false, reason: reasonFor(error) };
  }
}

function whyStop(response: Assessment<HttpResponse>): string | null {
  if (!response.assessed) return null;
  const { status } = response.value;
  return status === 429 || status === 503 ? 'The site asked for fewer requests.' : null;
}

/** The maps that would lie beside the page's own scripts. */
function sourceMapPaths(page: HttpResponse | null, origin: string): { path: string; kind: ExposureKind }[] {
  if (page === null) return [];
  const paths = new Set<string>();
  const parser = new Parser({
    onopentag(name, attributes) {
      const src = name === 'script' ? attributes.src : undefined;
      if (src === undefined || paths.size >= maxSourceMaps) return;
      const url = URL.canParse(src, page.url) ? new URL(src, page.url) : null;
      if (url?.origin === origin && url.pathname.endsWith('.js')) paths.add(`${url.pathname}.map`);
    },
  });
  parser.end(page.body);
  return [...paths].map(path => ({ path, kind: 'source_map' }));
}
