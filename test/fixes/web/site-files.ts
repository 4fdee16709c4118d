import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestCertificateOptions, testCertificate } from '../../support/certificates.ts';
import { authority } from '../../support/scan-website.ts';
import { type Certificate, type Site, siteName } from './site.ts';

/** The places of a site's parts while a product serves it. */
export interface Addresses {
  readonly path: string;
  /** Ports on which the product listens, and the one that clients use for both. */
  readonly ports: { readonly https: number; readonly http: number; readonly front: number };
}

/** Code as printed, with the test's ports, files and names instead of the usual ones. */
export function asHere(code: string, { path, ports }: Addresses): string {
  return code
    .replaceAll(/(https?:\/\/(?:\$host|\{host\}|%\{SERVER_NAME\}))(?![\w:])/g, `$1:${ports.front}`)
    .replaceAll(/(https:\/\/example\.com)(?![\w:.])/g, `$1:${ports.front}`)
    .replaceAll('example.com', siteName)
    .replaceAll(/\blisten 80;/g, `listen 127.0.0.1:${ports.http};`)
    .replaceAll(/\blisten 443 ssl;/g, `listen 127.0.0.1:${ports.https} ssl;`)
    .replaceAll('*:80>', `127.0.0.1:${ports.http}>`)
    .replaceAll('*:443>', `127.0.0.1:${ports.https}>`)
    .replaceAll('listen(443', `listen(${ports.https}, '127.0.0.1'`)
    .replaceAll('listen(80', `listen(${ports.http}, '127.0.0.1'`)
    .replaceAll(`/etc/letsencrypt/live/${siteName}`, path)
    .replaceAll('/run/app.sock', join(path, 'app.sock'))
    .replaceAll('/var/www/html', join(path, 'html'));
}

const page =
  '<!doctype html><html lang="en"><head><title>Portal</title></head><body>Hello<a href="/privacy">Privacy</a></body></html>\n';

/** Writes the site's documents. */
export async function writeDocuments(path: string, files: Site['files'] = {}): Promise<void> {
  // Servers that start as root read pages as another user.
  await chmod(path, 0o755);
  for (const [name, text] of Object.entries({ 'index.html': page, ...files })) {
    const file = join(path, 'html', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Writes a good certificate under the names that certbot gives it, and the site's own as `site.crt` and `site.key`. */
export async function writeCertificates(path: string, certificate: Certificate = 'good'): Promise<void> {
  const good = issued('good');
  const own = issued(certificate);
  await Promise.all([
    writeFile(join(path, 'fullchain.pem'), good.chain),
    writeFile(join(path, 'privkey.pem'), good.key),
    writeFile(join(path, 'site.crt'), own.chain),
    writeFile(join(path, 'site.key'), own.key),
  ]);
}

type Pair = { readonly chain: string; readonly key: string };

const made = new Map<Certificate, Pair>();

function issued(certificate: Certificate): Pair {
  const pair = made.get(certificate) ?? make[certificate]();
  made.set(certificate, pair);
  return pair;
}

const fromAuthority = (options: TestCertificateOptions = {}) =>
  authority.issue({ covers: [siteName], ...options });

const make: Readonly<Record<Certificate, () => Pair>> = {
  good: fromAuthority,
  // RSA, because weak cipher suites and short keys require it.
  rsa: () => fromAuthority({ key: 'rsa2048' }),
  'short key': () => fromAuthority({ key: 'rsa1024' }),
  'old hash': () => {
    const { certificate, key } = testCertificate({ covers: [siteName], key: 'rsa2048', hash: 'sha1' });
    return { chain: certificate, key };
  },
  expired: () => fromAuthority({ fromDay: -90, toDay: -1 }),
  expiring: () => fromAuthority({ fromDay: -80, toDay: 5 }),
  'not yet valid': () => fromAuthority({ fromDay: 2, toDay: 90 }),
  'other name': () => fromAuthority({ covers: ['other.clinic.com'] }),
  'without issuer': () => {
    const { certificate, key } = fromAuthority();
    return { chain: certificate, key };
  },
  'self-signed': () => {
    const { certificate, key } = testCertificate({ covers: [siteName] });
    return { chain: certificate, key };
  },
};
