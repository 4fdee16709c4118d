import { expect, it } from 'vitest';
import { cliExample, curlExample, environmentFile } from './first-call.ts';

const secrets = { token: 'svc_live_x', token_id: 'id', signing_key: 'svc_sign_y' };

it('writes the variables of the CLI, and the brand only if it is not the default', () => {
  expect(environmentFile(secrets, { serviceUrl: 'https://p.example/x', brand: 'service' })).toBe(
    [
      'PARAPET_URL=https://p.example/x',
      'PARAPET_TOKEN=svc_live_x',
      'PARAPET_TOKEN_ID=id',
      'PARAPET_SIGNING_KEY=svc_sign_y',
      '',
    ].join('\n'),
  );
  expect(environmentFile(secrets, { serviceUrl: '', brand: 'acme' })).toContain('PARAPET_BRAND=acme\n');
});

it('reads findings with a dashboard key, and sends an event with a probe key', () => {
  expect(cliExample('dashboard')).toContain('call GET /api/v1/findings');
  expect(cliExample('probe')).toContain('call POST /functions/v1/events-ingest');
});

it('sends the same request with curl', () => {
  expect(curlExample('dashboard', 'acme')).toContain('"v2|GET|/api/v1/findings|');
  expect(curlExample('dashboard', 'acme')).toMatch(/^body=''$/m);
  const sending = curlExample('probe', 'acme');
  expect(sending).toContain('"v2|POST|/functions/v1/events-ingest|');
  expect(sending).toMatch(/^curl .*--data-raw "\$body".*"\$PARAPET_URL\/functions\/v1\/events-ingest"/m);
});

it('names the headers by the brand, and puts no secret into arguments', () => {
  for (const kind of ['dashboard', 'probe'] as const) {
    const lines = curlExample(kind, 'acme');
    expect(lines).toContain('x-acme-signature: $signature');
    expect(lines.split('\n').find(line => line.startsWith('curl '))).not.toMatch(/TOKEN|SIGNING/);
  }
});
