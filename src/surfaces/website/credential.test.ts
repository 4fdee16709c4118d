import { describe, expect, it } from 'vitest';
import { testCertificate } from '../../../test/support/certificates.ts';
import { authority, collect, type Handler, running } from '../../../test/support/collecting.ts';
import { httpServer, httpsServer, twoProtocolServer } from '../../../test/support/website.ts';

describe('credentials', () => {
  const credential = { type: 'basic', username: 'nurse', password: 'correct horse' } as const;
  const encoded = Buffer.from('nurse:correct horse').toString('base64');

  function guarded(headers: (string | undefined)[]): Handler {
    return (request, response) => {
      headers.push(request.headers.authorization);
      response.setHeader('x-echo', request.headers.authorization ?? 'none');
      response.statusCode = request.headers.authorization === undefined ? 401 : 200;
      response.end(`hello ${request.headers.authorization} correct horse`);
    };
  }

  it('are sent to the page over trusted HTTPS, not over plain HTTP, not with exposure probes, and not stored in the capture', async () => {
    const leaf = authority.issue();
    const secure: (string | undefined)[] = [];
    const plain: (string | undefined)[] = [];
    const { port } = await running(
      twoProtocolServer({ key: leaf.key, cert: leaf.chain }, guarded(secure), guarded(plain)),
    );
    const capture = await collect(`127.0.0.1:${port}`, { credential });
    expect(capture.credential).toBe('sent');
    expect(capture.page).toMatchObject({ assessed: true, value: { status: 200 } });
    expect(secure.filter(value => value === `Basic ${encoded}`)).toHaveLength(3);
    expect(plain.every(value => value === undefined)).toBe(true);
    expect(JSON.stringify(capture)).not.toContain('correct horse');
    expect(JSON.stringify(capture)).not.toContain(encoded);
  });

  it('are not sent if the certificate is not trusted', async () => {
    const made = testCertificate();
    const headers: (string | undefined)[] = [];
    const { port } = await running(httpsServer({ key: made.key, cert: made.certificate }, guarded(headers)));
    const capture = await collect(`127.0.0.1:${port}`, { credential });
    expect(capture.credential).toBe('withheld');
    expect(headers.every(value => value === undefined)).toBe(true);
  });

  it('do not follow a redirect to another port', async () => {
    const elsewhere: (string | undefined)[] = [];
    const other = await running(httpServer(guarded(elsewhere)));
    const { port } = await running(
      httpServer((_, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
      }),
    );
    await collect(`http://127.0.0.1:${port}/`, {
      credential: { type: 'header', name: 'X-Api-Key', value: 's3cret-value' },
    });
    expect(elsewhere.length).toBeGreaterThan(0);
    await collect(`http://127.0.0.1:${port}/`, { credential });
    expect(elsewhere.every(value => value === undefined)).toBe(true);
  });

  it.each([
    { type: 'header', name: 'Host', value: 'other.example' },
    { type: 'header', name: 'X-Key', value: 'a\r\nX-Other: b' },
    { type: 'header', name: 'X Key', value: 'a' },
    { type: 'basic', username: 'a:b', password: 'c' },
  ] as const)('are refused if they are not a valid header: %j', async refused => {
    await expect(collect('127.0.0.1:9', { credential: refused })).rejects.toMatchObject({
      errorCode: 'invalid_credential',
    });
  });
});
