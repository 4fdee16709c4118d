import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Issued {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
}

export interface Request {
  readonly name: string;
  /** Parameters of `openssl genpkey`. Default: P-256. */
  readonly key?: readonly string[];
  /** Further parameters of `openssl x509`, such as `-sha1`. */
  readonly sign?: readonly string[];
  /** Lines of extensions. */
  readonly extensions?: readonly string[];
  readonly days?: number;
  /** Signs the certificate; otherwise it signs itself. */
  readonly issuer?: Issued;
}

const p256 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** A certificate of the openssl command, which issues what Node cannot. */
export async function issue({
  name,
  key = p256,
  sign = [],
  extensions = [],
  days = 90,
  issuer,
}: Request): Promise<Issued> {
  const folder = await mkdtemp(join(tmpdir(), 'accuracy-tls-'));
  const at = (file: string) => join(folder, file);
  try {
    await run('openssl', ['genpkey', ...key, '-out', at('key')]);
    await run('openssl', ['req', '-new', '-key', at('key'), '-subj', `/CN=${name}`, '-out', at('request')]);
    await writeFile(at('extensions'), `${extensions.join('\n')}\n`);
    if (issuer) {
      await writeFile(at('issuer'), issuer.certificate);
      await writeFile(at('issuer-key'), issuer.key);
    }
    const by = issuer
      ? ['-CA', at('issuer'), '-CAkey', at('issuer-key'), '-CAcreateserial']
      : ['-signkey', at('key')];
    await run('openssl', [
      ...['x509', '-req', '-in', at('request'), '-days', String(days), '-extfile', at('extensions')],
      ...[...by, ...sign, '-out', at('certificate')],
    ]);
    return { key: await readFile(at('key'), 'utf8'), certificate: await readFile(at('certificate'), 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const ofAuthority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign,cRLSign'];

/** The authority of all cases. */
const rsa = (bits: number) => ['-algorithm', 'RSA', '-pkeyopt', `rsa_keygen_bits:${bits}`];
export const root = await issue({
  name: 'Accuracy Root',
  key: rsa(2048),
  extensions: ofAuthority,
  days: 3_650,
});
export const intermediate = await issue({
  name: 'Accuracy Intermediate',
  key: rsa(2048),
  extensions: ofAuthority,
  days: 1_000,
  issuer: root,
});
