import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DetailedPeerCertificate } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { hasOpenssl } from '../../../test/support/website.ts';
import { certificateChain, endsAt } from './certificate.ts';

/** As Node presents it after a handshake. */
const peer = (pem: string, issuerCertificate?: DetailedPeerCertificate) => {
  const { raw, fingerprint256 } = new X509Certificate(pem);
  return { raw, fingerprint256, issuerCertificate } as unknown as DetailedPeerCertificate;
};

/** Facts of a self-signed certificate that the openssl command makes. */
function factsOf(key: readonly string[], sign: readonly string[] = [], extension = '') {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-test-'));
  const at = (file: string) => join(folder, file);
  try {
    writeFileSync(at('config'), `[req]\ndistinguished_name=name\n[name]\n[all]\n${extension}\n`);
    execFileSync('openssl', ['genpkey', ...key, '-out', at('key')], { stdio: 'ignore' });
    const request = ['req', '-x509', '-new', '-key', at('key'), '-subj', '/CN=site', '-config', at('config')];
    execFileSync('openssl', [...request, '-extensions', 'all', ...sign, '-out', at('certificate')]);
    return certificateChain(peer(readFileSync(at('certificate'), 'utf8')))[0]!;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`];
const rsa = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'];

describe.skipIf(!hasOpenssl())('certificates of OpenSSL', () => {
  it.each([
    ['prime256v1', 256],
    ['secp112r1', 112],
    ['secp521r1', 521],
    ['sect283k1', 283],
    ['c2pnb163v1', 163],
    ['brainpoolP320r1', 320],
    ['wap-wsg-idm-ecid-wtls1', 113],
    ['wap-wsg-idm-ecid-wtls7', 160],
    ['wap-wsg-idm-ecid-wtls12', 224],
  ])('knows the size of the curve %s', (curve, bits) => {
    expect(factsOf(ec(curve), ['-sha256'])).toMatchObject({ key_type: 'ec', key_bits: bits });
  });

  it.each([
    [['-md5'], 'md5WithRSAEncryption'],
    [['-sha1'], 'sha1WithRSAEncryption'],
    [['-sha224'], 'sha224WithRSAEncryption'],
    [['-sha1', '-sigopt', 'rsa_padding_mode:pss'], 'rsassaPssWithSHA1'],
    [['-sha384', '-sigopt', 'rsa_padding_mode:pss'], 'rsassaPssWithSHA384'],
  ])('names the signature of %j', (sign, name) => {
    expect(factsOf(rsa, sign).signature_algorithm).toBe(name);
  });

  it('names signatures of Edwards curves', () => {
    expect(factsOf(['-algorithm', 'ED448'])).toMatchObject({
      key_type: 'ed448',
      key_bits: null,
      signature_algorithm: 'ed448',
    });
  });

  it.each([
    ['tlsfeature=status_request', { must_staple: true, has_timestamps: false }],
    ['1.3.6.1.4.1.11129.2.4.2=DER:04:02:00:00', { must_staple: false, has_timestamps: true }],
    ['basicConstraints=critical,CA:FALSE', { must_staple: false, has_timestamps: false }],
  ])('reads the extension %s', (extension, facts) => {
    expect(factsOf(rsa, ['-sha256'], extension)).toMatchObject(facts);
  });
});

it('recognizes a root by its certificate, not by its name', () => {
  const [one, other] = [testAuthority(), testAuthority()];
  const root = peer(one.root);
  Object.assign(root, { issuerCertificate: root });
  const leaf = peer(one.issue().certificate, peer(one.intermediate.certificate, root));
  expect(endsAt(leaf, [other.root, one.root])).toBe(true);
  expect(endsAt(leaf, [other.root])).toBe(false);
  expect(endsAt(peer(one.issue().certificate), [one.root])).toBe(false);
});
