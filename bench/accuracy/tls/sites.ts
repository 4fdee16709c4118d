import type https from 'node:https';
import tls from 'node:tls';
import { dhParameters } from '../../../test/support/dh-parameters.ts';
import { goodTls, siteName } from '../../../test/support/hardened-site.ts';
import { authority, type WebsiteScanOptions } from '../../../test/support/scan-website.ts';
import { httpsServer, type TestServer } from '../../../test/support/website.ts';
import type { AccuracyCase } from '../case.ts';
import { startProgram } from '../program.ts';
import { handler, plainServer, websiteCase } from '../website-case.ts';
import { type Issued, intermediate, issue, type Request, root } from './issue.ts';

export const location = 'authorityInfoAccess=caIssuers;URI:http://ca.example/intermediate.der';
export const covering = (...names: readonly string[]) =>
  `subjectAltName=${names.map(name => `DNS:${name}`).join(',')}`;
export const rsa = (bits: number) => ['-algorithm', 'RSA', '-pkeyopt', `rsa_keygen_bits:${bits}`];
export const curve = (name: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${name}`];
export const pss = (hash: string) => [
  '-sigopt',
  'rsa_padding_mode:pss',
  '-sigopt',
  'rsa_pss_saltlen:digest',
  `-${hash}`,
];

interface Served {
  readonly certificate?: Partial<Request>;
  /** Certificates that are sent after the site’s own. Default: the intermediate. */
  readonly chain?: readonly Issued[];
  readonly server?: https.ServerOptions;
  readonly trusts?: string;
  readonly options?: WebsiteScanOptions;
}

/** A server of Node.js with a certificate of OpenSSL. */
export const certificateCase = (
  name: string,
  { certificate = {}, chain = [intermediate], server = {}, trusts = root.certificate, options = {} }: Served,
  flaws: string | readonly string[] | null,
): AccuracyCase =>
  websiteCase({
    name,
    flaws: [flaws ?? []].flat().map(flaw => `tls.${flaw}`),
    options: { trustedRoots: [trusts], ...options },
    start: async () => {
      const made = await issue({
        name: siteName,
        extensions: [covering(siteName), location],
        issuer: intermediate,
        ...certificate,
      });
      const cert = [made, ...chain].map(one => one.certificate).join('');
      return httpsServer({ ...goodTls, key: made.key, cert, ...server }, handler({}));
    },
  });

/** A server of Node.js with a certificate that Node’s own tests make. */
export const datedCase = (
  name: string,
  fromDay: number,
  toDay: number,
  flaws: readonly string[],
): AccuracyCase => {
  const made = authority.issue({ covers: [siteName], fromDay, toDay });
  return websiteCase({
    name,
    tls: { key: made.key, cert: made.chain },
    flaws: flaws.map(flaw => `tls.${flaw}`),
  });
};

export const lax = { ciphers: 'ECDHE+AESGCM:@SECLEVEL=0' } as const;
const made = authority.issue({ covers: [siteName], key: 'rsa2048' });
const withRsa = { key: made.key, cert: made.chain };

/** A server of Node.js with settings of TLS. */
export const settingsCase = (
  name: string,
  settings: https.ServerOptions,
  flaws: readonly string[],
): AccuracyCase =>
  websiteCase({ name, tls: { ...withRsa, ...settings }, flaws: flaws.map(flaw => `tls.${flaw}`) });

/** OpenSSL’s own server, which accepts what Node does not. */
export const opensslCase = (name: string, ciphers: string, flaws: readonly string[]): AccuracyCase =>
  websiteCase({
    name,
    flaws: flaws.map(flaw => `tls.${flaw}`),
    also: [...plainServer, 'transport.hsts_missing', 'tls.chain_incomplete'],
    start: () =>
      startProgram(port => ({
        command: 'openssl',
        parameters: [
          ...[
            's_server',
            '-accept',
            `127.0.0.1:${port}`,
            '-www',
            '-cert',
            'site.pem',
            '-dhparam',
            'group.pem',
          ],
          ...['-cipher', `ECDHE-RSA-AES128-GCM-SHA256:${ciphers}:@SECLEVEL=0`],
        ],
        files: { 'site.pem': `${made.certificate}${made.key}`, 'group.pem': dhParameters('modp14') },
      })),
  });

/** `https://portal…` redirects to `https://www…` on the same port, with a certificate of its own. */
export const redirectCase = (
  name: string,
  ofWww: Partial<Parameters<typeof authority.issue>[0]>,
  flaws: readonly string[],
): AccuracyCase =>
  websiteCase({
    name,
    flaws,
    start: async (): Promise<TestServer> => {
      const www = `www.${siteName}`;
      const other = authority.issue({ covers: [www], ...ofWww });
      const context = tls.createSecureContext({ key: other.key, cert: other.chain });
      const SNICallback: https.ServerOptions['SNICallback'] = (asked, answer) =>
        answer(null, asked === www ? context : undefined);
      return httpsServer({ ...goodTls, SNICallback }, (request, response) => {
        const { host = '' } = request.headers;
        if (host.startsWith('www.') || request.url !== '/') return handler({})(request, response);
        response.setHeader('location', `https://www.${host}/`);
        handler({ '/': { status: 301 } })(request, response);
      });
    },
  });

export const stapling = (response: Buffer | null) => async (): Promise<TestServer> => {
  const { key, certificate } = await issue({
    name: siteName,
    extensions: [covering(siteName), location, 'tlsfeature=status_request'],
    issuer: intermediate,
  });
  const options = { ...goodTls, key, cert: certificate + intermediate.certificate };
  return httpsServer(options, handler({}), one =>
    one.on(
      'OCSPRequest',
      (_certificate: Buffer, _issuer: Buffer, answer: (error: null, response: Buffer | null) => void) =>
        answer(null, response),
    ),
  );
};
