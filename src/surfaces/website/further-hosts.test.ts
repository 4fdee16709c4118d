import { expect, it } from 'vitest';
import { authority, collect, running } from '../../../test/support/collecting.ts';
import { freePort, httpsServer } from '../../../test/support/website.ts';

/** Certificates of the hosts to which a site redirects, and of those to which it redirected. */

const { key, chain } = authority.issue();
const certificate = { key, cert: chain };

it('reads the certificates of all hosts of the redirects, and of open findings', async () => {
  const end = await running(httpsServer(certificate, (_, response) => response.end('<!doctype html><p>End')));
  const origins = [`https://127.0.0.1:${end.port}`];
  for (let hop = 0; hop < 4; hop++) {
    const [location = ''] = origins;
    const server = await running(
      httpsServer(certificate, (_, response) => void response.writeHead(302, { location }).end()),
    );
    origins.unshift(`https://127.0.0.1:${server.port}`);
  }
  const [first = '', ...further] = origins;
  const stopped = `https://127.0.0.1:${await freePort()}`;
  const furtherOf = async (host: string, openPlaces: readonly string[] = []) => {
    const { tls } = await collect(host, { openPlaces, parts: new Set(['tls']) });
    return (tls.assessed ? tls.value.further_hosts : []).map(({ origin, handshake }) => [
      origin,
      handshake.assessed ? handshake.value?.chain.length !== undefined : handshake.reason,
    ]);
  };
  expect(await furtherOf(first)).toEqual(further.map(origin => [origin, true]));
  const last = origins.at(-1)!;
  const open = [`${first} certificate`, `${first} issuer CN=A`, stopped, 'https://other.example'];
  expect(await furtherOf(last, open)).toEqual([
    [first, true],
    [stopped, false],
  ]);
});
