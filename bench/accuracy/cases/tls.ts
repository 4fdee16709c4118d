import { testAuthority, testCertificate } from '../../../test/support/certificates.ts';
import { dhParameters } from '../../../test/support/dh-parameters.ts';
import { goodTls, siteName } from '../../../test/support/hardened-site.ts';
import { authority } from '../../../test/support/scan-website.ts';
import { httpsServer } from '../../../test/support/website.ts';
import type { Family } from '../case.ts';
import { issue, ofAuthority, root } from '../tls/issue.ts';
import {
  certificateCase,
  covering,
  curve,
  datedCase,
  lax,
  location,
  opensslCase,
  pss,
  redirectCase,
  rsa,
  settingsCase,
  stapling,
} from '../tls/sites.ts';
import { handler, websiteCase } from '../website-case.ts';

const oldVersions = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

/** An intermediate that is signed with SHA-1. */
const old = await issue({
  name: 'Old Intermediate',
  key: rsa(2048),
  extensions: ofAuthority,
  sign: ['-sha1'],
  issuer: root,
});

/** An empty list of timestamps (RFC 6962, 3.3). */
const timestamps = '1.3.6.1.4.1.11129.2.4.2=DER:04:02:00:00';

export const tlsFamily: Family = {
  name: 'tls',
  cases: [
    certificateCase('ECDSA with P-256', {}, null),
    certificateCase('ECDSA with P-384', { certificate: { key: curve('P-384') } }, null),
    certificateCase('RSA with 3072 bits', { certificate: { key: rsa(3072) } }, null),
    certificateCase(
      'Ed25519, which OpenSSL and some browsers support',
      { certificate: { key: ['-algorithm', 'ED25519'] } },
      null,
    ),
    certificateCase('signed with RSA-PSS and SHA-256', { certificate: { sign: pss('sha256') } }, null),
    certificateCase(
      'a wildcard',
      { certificate: { extensions: [covering('*.clinic.com'), location] } },
      null,
    ),
    certificateCase(
      'many names',
      {
        certificate: {
          extensions: [
            covering(...Array.from({ length: 80 }, (_, at) => `site${at}.clinic.com`), siteName),
            location,
          ],
        },
      },
      null,
    ),
    certificateCase(
      'only a common name, which browsers ignore',
      { certificate: { extensions: [location] } },
      'name_mismatch',
    ),
    certificateCase(
      'another name',
      { certificate: { extensions: [covering('www.clinic.com'), location] } },
      'name_mismatch',
    ),
    certificateCase(
      'a wildcard of another level',
      { certificate: { extensions: [covering('*.portal.clinic.com'), location] } },
      'name_mismatch',
    ),
    certificateCase(
      'the default of a server',
      {
        certificate: {
          name: 'localhost',
          extensions: ['subjectAltName=DNS:localhost'],
          issuer: undefined as never,
        },
        chain: [],
      },
      ['certificate_untrusted', 'name_mismatch'],
    ),
    certificateCase(
      'self-signed',
      { certificate: { issuer: undefined as never }, chain: [] },
      'certificate_untrusted',
    ),
    certificateCase(
      'an authority that nobody trusts',
      { trusts: testCertificate({ authority: true }).certificate },
      'certificate_untrusted',
    ),
    certificateCase('without its intermediate', { chain: [] }, 'chain_incomplete'),
    certificateCase('RSA with 1024 bits', { certificate: { key: rsa(1024) }, server: lax }, 'weak_key'),
    certificateCase('RSA with 1536 bits', { certificate: { key: rsa(1536) }, server: lax }, 'weak_key'),
    certificateCase('signed with SHA-1', { certificate: { sign: ['-sha1'] }, server: lax }, 'weak_signature'),
    certificateCase('signed with MD5', { certificate: { sign: ['-md5'] }, server: lax }, 'weak_signature'),
    certificateCase(
      'signed with RSA-PSS and SHA-1',
      { certificate: { sign: pss('sha1') }, server: lax },
      'weak_signature',
    ),

    datedCase('expired yesterday', -90, -1, ['certificate_expired']),
    datedCase('valid from tomorrow', 1, 90, ['certificate_not_yet_valid']),
    datedCase('twenty of ninety days left', -70, 20, ['certificate_expiring']),
    datedCase('a third of a short life left', -4, 3, []),
    datedCase('a year', -30, 335, []),

    settingsCase('hardened, with RSA', {}, []),
    settingsCase('TLS 1.3 only', { minVersion: 'TLSv1.3' }, []),
    settingsCase('TLS 1.2 only', { maxVersion: 'TLSv1.2' }, ['no_tls13']),
    settingsCase('all versions', oldVersions, [
      'legacy_protocol TLSv1',
      'legacy_protocol TLSv1.1',
      'weak_cipher RSA key transport',
    ]),
    settingsCase('TLS 1.1', { ...oldVersions, minVersion: 'TLSv1.1', ciphers: 'ECDHE+AES:@SECLEVEL=0' }, [
      'legacy_protocol TLSv1.1',
    ]),
    settingsCase('RSA key transport', { ciphers: 'ECDHE+AESGCM:AES128-GCM-SHA256' }, [
      'weak_cipher RSA key transport',
    ]),
    settingsCase('RSA key transport with Camellia', { ciphers: 'ECDHE+AESGCM:CAMELLIA256-SHA' }, [
      'weak_cipher RSA key transport',
    ]),
    settingsCase('ECDHE with CBC, which is no finding', { ciphers: 'ECDHE+AESGCM:ECDHE-RSA-AES128-SHA' }, []),
    settingsCase(
      'Diffie-Hellman with 1024 bits',
      { ciphers: 'ECDHE+AESGCM:DHE+AES@SECLEVEL=0', dhparam: dhParameters('modp2') },
      ['weak_dh_group'],
    ),
    settingsCase(
      'Diffie-Hellman with 1536 bits',
      { ciphers: 'ECDHE+AESGCM:DHE+AES@SECLEVEL=0', dhparam: dhParameters('modp5') },
      ['weak_dh_group'],
    ),
    settingsCase(
      'Diffie-Hellman with 2048 bits',
      { ciphers: 'ECDHE+AESGCM:DHE+AESGCM', dhparam: 'auto' },
      [],
    ),
    opensslCase('no encryption', 'NULL-SHA256', ['weak_cipher TLS_RSA_WITH_NULL_SHA256']),
    opensslCase('no authentication', 'ADH-AES128-SHA256', [
      'weak_cipher TLS_DH_anon_WITH_AES_128_CBC_SHA256',
    ]),

    redirectCase('www with a good certificate', {}, []),
    redirectCase('www with an expired certificate', { fromDay: -90, toDay: -2 }, [
      `tls.certificate_expired www.${siteName}`,
    ]),
    redirectCase('www with the certificate of another name', { covers: [siteName] }, [
      `tls.name_mismatch www.${siteName}`,
    ]),
    redirectCase('www of an authority that nobody trusts', { issuer: testAuthority().intermediate }, [
      `tls.certificate_untrusted www.${siteName}`,
    ]),
    websiteCase({
      name: 'a required OCSP response',
      flaws: [],
      options: { trustedRoots: [root.certificate] },
      start: stapling(Buffer.from('30030a0106', 'hex')),
    }),
    websiteCase({
      name: 'a required OCSP response that is missing',
      flaws: ['tls.staple_missing'],
      options: { trustedRoots: [root.certificate] },
      start: stapling(null),
    }),
    websiteCase({
      name: 'an issuer that has expired',
      flaws: ['tls.certificate_untrusted'],
      options: { trustedRoots: [authority.root] },
      start: async () => {
        const issuer = testCertificate({
          name: 'Expired Intermediate',
          covers: [],
          authority: true,
          fromDay: -400,
          toDay: -3,
        });
        const leaf = testCertificate({ issuer, covers: [siteName] });
        return httpsServer(
          { ...goodTls, key: leaf.key, cert: leaf.certificate + issuer.certificate },
          handler({}),
        );
      },
    }),
    certificateCase(
      'an intermediate that is signed with SHA-1',
      { certificate: { issuer: old }, chain: [old], server: lax },
      'weak_signature issuer',
    ),
    certificateCase(
      'of a public authority, with timestamps',
      {
        certificate: { extensions: [covering(siteName), location, timestamps] },
        options: { publicRoots: [root.certificate] },
      },
      null,
    ),
    certificateCase(
      'of a public authority, without timestamps',
      { options: { publicRoots: [root.certificate] } },
      'not_logged',
    ),
    certificateCase(
      'of a public authority, without timestamps, over TLS 1.3 only, which hides them',
      {
        server: { minVersion: 'TLSv1.3' },
        options: { publicRoots: [root.certificate] },
      },
      null,
    ),
    websiteCase({
      name: 'of a public authority, with timestamps in its OCSP response',
      flaws: [],
      options: { trustedRoots: [root.certificate], publicRoots: [root.certificate] },
      start: stapling(Buffer.from('30820010060a2b06010401d679020405', 'hex')),
    }),
  ],
};
