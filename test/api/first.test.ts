import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

let service: TestService;
let key: ClientKey;
beforeAll(async () => {
  service = await startService();
  key = await service.mint(await service.createOrganization());
});
afterAll(() => service?.close());

it('works', async () => {
  const c = await call(service.url, key, 'POST', '/api/v1/systems', {
    name: 'x',
    environment: 'production',
    kind: 'site',
  });
  console.log(c.status, c.text);
  const l = await call(service.url, key, 'GET', '/api/v1/systems?limit=1');
  console.log(l.status, l.text);
  const bad = await call(service.url, key, 'POST', '/api/v1/systems', {
    name: '',
    environment: 'prod',
    x: 1,
  });
  console.log(bad.status, bad.text);
  console.log((await call(service.url, key, 'GET', '/api/v1/nope')).text);
  console.log((await call(service.url, key, 'GET', '/api/v1/%zz')).text);
  console.log(await (await fetch(service.url + '/api/v1/%zz')).text());
  console.log(await (await fetch(service.url + '/api/v1/systems')).text());
  console.log(service.log.join(''));
  expect(1).toBe(1);
});
