import { expect, it } from 'vitest';
import { clientAnswering } from '../../../test/support/answering-servers.ts';
import { home, response } from '../../detectors/website/hardened-capture.ts';
import { probeElsewhere } from './elsewhere.ts';
import { offeredParameters } from './offers/offered-parameters.ts';
import { openPathsAt, pathsAt } from './reach.ts';
import { revisit } from './revisit.ts';

const hostname = 'portal.example.com';
const { origin } = new URL(home);
const page = response(home, { headers: [['content-type', 'text/html']], body: '<p>' });

it('requests no place whose locator has a mask', async () => {
  const place = `${origin}/sk_live_[masked]/dump.sql`;
  expect(pathsAt(place, hostname)).toEqual([]);
  expect(openPathsAt(origin, hostname, [place, `${origin}/dump.sql`])).toEqual([
    expect.objectContaining({ path: '/dump.sql' }),
  ]);
  expect(offeredParameters(page, `${place} parameter q`).candidates).toHaveLength(1);
  const client = clientAnswering(page);
  expect(await probeElsewhere(client, { hostname, origin: `http://${hostname}` }, [place])).toEqual([]);
  const again = await revisit(client, { hostname, page, scripts: [] }, [`private-key ${place}`], null);
  expect(again).toMatchObject([
    { response: { assessed: false, reason: 'The place of an open finding contains a secret.' } },
  ]);
});
