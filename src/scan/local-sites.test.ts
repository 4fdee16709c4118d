import { expect, it } from 'vitest';
import { collect, running } from '../../test/support/collecting.ts';
import { inspectionFrom } from '../../test/support/resolved-by.ts';
import { httpServer } from '../../test/support/website.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import { createTargetGuard } from '../surfaces/connection/target-guard.ts';

const page =
  '<!doctype html><html lang="en"><head><title>Clinic</title></head><body><p>Welcome to the clinic.</p></body></html>';
const guard = createTargetGuard({ allowlist: ['127.0.0.1'], resolve: () => Promise.resolve(['127.0.0.1']) });
const ofFullScans = new Set(
  detectorsFor('website').flatMap(({ name, depth }) => (depth === 'full' ? [name] : [])),
);

it.each(['localhost', '127.0.0.1', 'wiki.internal'])(
  'completes every run of a safe scan of a plain HTTP site at %s: a check that cannot apply is no gap',
  async name => {
    const { port } = await running(
      httpServer((request, response) => {
        response.statusCode = request.url === '/' ? 200 : 404;
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(request.url === '/' ? page : '<!doctype html><p>Not found');
      }),
    );
    const { runs, outcomes } = inspectionFrom(await collect(`http://${name}:${port}/`, { guard }));
    const safe = runs.filter(({ detector }) => !ofFullScans.has(detector));
    expect(safe.length).toBeGreaterThan(10);
    expect(safe.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    const outcomeOf = (id: string) => outcomes.find(({ check }) => check === id)?.outcome;
    expect([outcomeOf('tls.no_caa'), outcomeOf('tls.certificate_expired')]).toEqual([
      'not_applicable',
      'not_applicable',
    ]);
    const gaps = outcomes.filter(({ check, outcome }) => outcome === 'not_assessed' && check.startsWith('t'));
    expect(gaps).toEqual([]);
  },
);
