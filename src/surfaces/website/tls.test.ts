import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { type TestCertificate, testCertificate } from '../../../test/support/certificates.ts';
import { authority, collect, hello, running } from '../../../test/support/collecting.ts';
import { httpsServer, rawServer } from '../../../test/support/website.ts';
import type { TlsFacts } from '../../captures/tls.ts';

const permissive = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

async function tlsOf(
  made: TestCertificate,
  options: { chain?: string; server?: object } = {},
): Promise<TlsFacts> {
  const cert = options.chain ?? made.certificate;
  const { port } = await running(httpsServer({ key: made.key, cert, ...options.server }, hello));
  const { tls } = await collect(`127.0.0.1:${port}`);
  if (!tls.assessed) throw new Error(tls.reason);
  return tls.value;
}

describe('certificates', () => {
  it('records a valid chain', async () => {
    const leaf = authority.issue();
    const tls = await tlsOf(leaf, { chain: leaf.chain });
    expect(tls).toMatchObject({
      negotiated_version: 'TLSv1.3',
      hostname_matches: true,
      authorization_error: null,
      weak_ciphers: { assessed: true, value: { chosen: [], is_complete: true } },
    });
    expect(tls.protocols.map(({ support }) => support)).toEqual([
      'refused',
      'refused',
      'accepted',
      'accepted',
    ]);
    expect(tls.chain[0]).toMatchObject({
      subject: 'CN=Test Site',
      issuer: 'CN=Test Intermediate',
      subject_alt_names: ['IP Address:127.0.0.1', 'DNS:localhost'],
      key_type: 'ec',
      key_bits: 256,
      signature_algorithm: 'ecdsaWithSHA256',
      self_signed: false,
      names_issuer_location: true,
    });
  });

  it('records an expired certificate', async () => {
    const leaf = authority.issue({ fromDay: -90, toDay: -1 });
    const tls = await tlsOf(leaf, { chain: leaf.chain });
    expect(tls.authorization_error).toBe('CERT_HAS_EXPIRED');
    expect(Date.parse(tls.chain[0]!.not_after)).toBeLessThan(Date.now());
  });

  it('records a name that is not covered', async () => {
    const leaf = authority.issue({ covers: ['other.example'] });
    const tls = await tlsOf(leaf, { chain: leaf.chain });
    expect(tls).toMatchObject({ hostname_matches: false, authorization_error: null });
  });

  it('records a name that is not covered by a certificate that is not trusted either', async () => {
    const tls = await tlsOf(testCertificate({ covers: ['other.example'] }));
    expect(tls).toMatchObject({
      hostname_matches: false,
      authorization_error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(tls.chain).toHaveLength(1);
    expect(tls.chain[0]!.self_signed).toBe(true);
  });

  it('records a chain without its intermediate', async () => {
    const tls = await tlsOf(authority.issue());
    expect(tls.authorization_error).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(tls.chain).toHaveLength(1);
  });

  it('records short keys and broken hashes', async () => {
    const made = testCertificate({ key: 'rsa1024', hash: 'sha1' });
    const tls = await tlsOf(made, { server: { ciphers: 'DEFAULT@SECLEVEL=0' } });
    expect(tls.chain[0]).toMatchObject({
      key_type: 'rsa',
      key_bits: 1024,
      signature_algorithm: 'sha1WithRSAEncryption',
    });
  });
});

describe('protocol versions and ciphers', () => {
  it('recognizes a server that supports only TLS 1.0', async () => {
    const made = testCertificate({ key: 'rsa2048' });
    const tls = await tlsOf(made, { server: { ...permissive, maxVersion: 'TLSv1' } });
    expect(tls.negotiated_version).toBe('TLSv1');
    expect(tls.protocols.map(({ support }) => support)).toEqual([
      'accepted',
      'refused',
      'refused',
      'refused',
    ]);
  });

  it('reports RSA key transport as weak, and nothing more', async () => {
    const tls = await tlsOf(testCertificate({ key: 'rsa2048' }), { server: permissive });
    if (!tls.weak_ciphers.assessed) throw new Error(tls.weak_ciphers.reason);
    const { chosen, is_complete } = tls.weak_ciphers.value;
    expect(is_complete).toBe(true);
    expect(chosen).toEqual([expect.stringMatching(/^TLS_RSA_WITH_AES/)]);
  });

  /** A server with old protocols and ciphers behind a relay that may cut connections. */
  async function behind(cuts: (hello: Buffer, count: number) => 'reset' | 'end' | undefined) {
    const made = testCertificate({ key: 'rsa2048' });
    const { port } = await running(
      httpsServer({ key: made.key, cert: made.certificate, ...permissive }, hello),
    );
    let count = 0;
    const front = await running(
      rawServer(socket => {
        count += 1;
        const number = count;
        socket.once('data', first => {
          const how = cuts(first, number);
          if (how === 'reset') return socket.resetAndDestroy();
          if (how === 'end') return socket.end();
          const back = net.connect(port, '127.0.0.1');
          back.on('error', () => socket.destroy());
          back.write(first);
          socket.pipe(back).pipe(socket);
        });
      }),
    );
    const { tls } = await collect(`https://127.0.0.1:${front.port}`);
    if (!tls.assessed) throw new Error(tls.reason);
    return tls.value;
  }

  it.each(['reset', 'end'] as const)(
    'does not treat a firewall that cuts connections as a refusal: %s',
    async how => {
      const { protocols, weak_ciphers } = await behind((_, count) => (count > 2 ? how : undefined));
      const reason = 'The server stopped answering TLS handshakes during the scan.';
      for (const { version, support } of protocols) {
        if (version === 'TLSv1' || version === 'TLSv1.1') expect(support).not.toBe('refused');
      }
      expect(protocols).toContainEqual({ version: 'TLSv1.1', support: 'not_assessed', reason });
      expect(weak_ciphers).toEqual({ assessed: false, reason });
    },
  );

  it.each(['reset', 'end'] as const)(
    'treats a server that cuts old protocols as a refusal: %s',
    async how => {
      // The extension for versions above TLS 1.2 is in every ClientHello except those that offer an old version.
      const asksForOld = (first: Buffer) => !first.includes(Buffer.from([0x00, 0x2b]));
      const { protocols, weak_ciphers } = await behind(first => (asksForOld(first) ? how : undefined));
      expect(protocols.map(({ support }) => support)).toEqual(['refused', 'refused', 'refused', 'accepted']);
      expect(weak_ciphers).toEqual({ assessed: true, value: { chosen: [], is_complete: true } });
    },
  );
});
