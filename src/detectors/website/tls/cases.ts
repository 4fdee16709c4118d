import type { Assessment } from '../../../captures/assessment.ts';
import type { HandshakeFacts, TlsFacts } from '../../../captures/tls.ts';
import type { WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, certificateWith, notSeen, seen, tlsWith, weakCiphers } from '../hardened-capture.ts';

const origin = 'https://portal.example.com';
const www = 'https://www.portal.example.com';
const withTls = (changes: Partial<TlsFacts>) => captureWith({ tls: tlsWith(changes) });
/** A handshake with another host. */
function withHandshake(changes: Partial<HandshakeFacts>): Assessment<HandshakeFacts> {
  const facts = tlsWith(changes);
  if (!facts.assessed) return facts;
  const { protocols, weak_ciphers, dh_bits, has_timestamps, further_hosts, ...handshake } = facts.value;
  return seen(handshake);
}
const unable = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';

const ofCertificate = [
  'tls.certificate_expired',
  'tls.certificate_not_yet_valid',
  'tls.certificate_expiring',
  'tls.name_mismatch',
  'tls.certificate_untrusted',
  'tls.chain_incomplete',
  'tls.weak_key',
  'tls.weak_signature',
  'tls.staple_missing',
  'tls.not_logged',
];

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'expired yesterday',
    capture: withTls({
      chain: certificateWith({ not_after: '2026-11-20T08:00:00.000Z' }),
      authorization_error: 'CERT_HAS_EXPIRED',
    }),
    expected: [{ check: 'tls.certificate_expired', locator: origin }],
  },
  {
    name: 'valid from tomorrow',
    capture: withTls({
      chain: certificateWith({ not_before: '2026-11-22T08:00:00.000Z' }),
      authorization_error: 'CERT_NOT_YET_VALID',
    }),
    expected: ['tls.certificate_not_yet_valid'],
  },
  {
    name: 'ten of ninety days left',
    capture: withTls({
      chain: certificateWith({
        not_before: '2026-09-02T08:00:00.000Z',
        not_after: '2026-12-01T08:00:00.000Z',
      }),
    }),
    expected: ['tls.certificate_expiring'],
  },
  {
    name: 'a six-day certificate with four days left',
    capture: withTls({
      chain: certificateWith({
        not_before: '2026-11-19T08:00:00.000Z',
        not_after: '2026-11-25T08:00:00.000Z',
      }),
    }),
    expected: [],
  },
  {
    name: 'a certificate for another name',
    capture: withTls({ hostname_matches: false }),
    expected: [{ check: 'tls.name_mismatch', locator: origin }],
  },
  {
    name: 'self-signed',
    capture: withTls({
      chain: certificateWith({ self_signed: true }).slice(0, 1),
      authorization_error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    }),
    expected: ['tls.certificate_untrusted'],
  },
  {
    name: 'an unknown root and a complete chain',
    capture: withTls({ authorization_error: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }),
    expected: ['tls.certificate_untrusted'],
  },
  {
    name: 'an expired issuer and a valid certificate',
    capture: withTls({ authorization_error: 'CERT_HAS_EXPIRED' }),
    expected: ['tls.certificate_untrusted'],
  },
  {
    name: 'a missing intermediate',
    capture: withTls({ chain: certificateWith({}).slice(0, 1), authorization_error: unable }),
    expected: ['tls.chain_incomplete'],
  },
  {
    name: 'a lone certificate of an unknown authority',
    capture: withTls({
      chain: certificateWith({ names_issuer_location: false }).slice(0, 1),
      authorization_error: unable,
    }),
    expected: ['tls.certificate_untrusted'],
  },
  {
    name: 'old versions',
    capture: withTls({
      negotiated_version: 'TLSv1.2',
      protocols: [
        { version: 'TLSv1', support: 'accepted' },
        { version: 'TLSv1.1', support: 'accepted' },
        { version: 'TLSv1.2', support: 'accepted' },
        { version: 'TLSv1.3', support: 'refused' },
      ],
    }),
    expected: [
      { check: 'tls.legacy_protocol', locator: `${origin} TLSv1` },
      { check: 'tls.legacy_protocol', locator: `${origin} TLSv1.1` },
      'tls.no_tls13',
    ],
  },
  {
    name: 'versions that could not be tested',
    capture: withTls({
      protocols: [
        { version: 'TLSv1', support: 'not_assessed', reason: 'The server did not answer in time.' },
        { version: 'TLSv1.1', support: 'refused' },
        { version: 'TLSv1.2', support: 'accepted' },
        { version: 'TLSv1.3', support: 'not_assessed' },
      ],
      weak_ciphers: notSeen(),
    }),
    expected: [],
    notAssessed: ['tls.legacy_protocol', 'tls.no_tls13', 'tls.weak_cipher'],
  },
  {
    name: '3DES and RSA key transport',
    capture: withTls({
      weak_ciphers: weakCiphers(['TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'TLS_RSA_WITH_AES_128_CBC_SHA']),
    }),
    expected: [
      { check: 'tls.weak_cipher', locator: `${origin} TLS_RSA_WITH_3DES_EDE_CBC_SHA` },
      { check: 'tls.weak_cipher', locator: `${origin} RSA key transport` },
    ],
  },
  ...[512, 768, 1024, 1536].map(bits => ({
    name: `a Diffie-Hellman group of ${bits} bits`,
    capture: withTls({ dh_bits: seen(bits) }),
    expected: [
      { check: 'tls.weak_dh_group', locator: origin, ...(bits > 1024 ? { severity: 'low' as const } : {}) },
    ],
  })),
  { name: 'a Diffie-Hellman group of 2048 bits', capture: withTls({ dh_bits: seen(2048) }), expected: [] },
  {
    name: 'a Diffie-Hellman group that could not be tested',
    capture: withTls({ dh_bits: notSeen() }),
    expected: [],
    notAssessed: ['tls.weak_dh_group'],
  },
  {
    name: 'a common name and no other',
    capture: withTls({ chain: certificateWith({ subject_alt_names: [] }), hostname_matches: false }),
    expected: ['tls.name_mismatch'],
  },
  {
    name: 'a required OCSP response that is missing',
    capture: withTls({ chain: certificateWith({ must_staple: true }) }),
    expected: [{ check: 'tls.staple_missing', locator: origin }],
  },
  {
    name: 'a required OCSP response',
    capture: withTls({ chain: certificateWith({ must_staple: true }), stapled: true }),
    expected: [],
  },
  {
    name: 'a public certificate without timestamps',
    capture: withTls({ has_timestamps: seen(false) }),
    expected: [{ check: 'tls.not_logged', locator: origin }],
  },
  {
    name: 'a certificate of a private authority without timestamps',
    capture: withTls({ has_timestamps: seen(false), publicly_trusted: false }),
    expected: [],
  },
  {
    name: 'timestamps that could not be read',
    capture: withTls({ has_timestamps: notSeen() }),
    expected: [],
    notAssessed: ['tls.not_logged'],
  },
  {
    name: 'an expired certificate, a short key and another name at the host that the site redirects to',
    capture: withTls({
      further_hosts: [
        {
          origin: www,
          handshake: withHandshake({
            chain: certificateWith({
              not_after: '2026-11-20T08:00:00.000Z',
              key_type: 'rsa',
              key_bits: 1024,
            }),
            authorization_error: 'CERT_HAS_EXPIRED',
            hostname_matches: false,
          }),
        },
      ],
    }),
    expected: [
      { check: 'tls.certificate_expired', locator: www },
      { check: 'tls.name_mismatch', locator: www },
      { check: 'tls.weak_key', locator: `${www} certificate` },
    ],
  },
  {
    name: 'a host that the site redirects to, without an answer',
    capture: withTls({ further_hosts: [{ origin: www, handshake: notSeen() }] }),
    expected: [],
    notAssessed: ofCertificate,
  },
  {
    name: 'RSA-PSS with SHA-1',
    capture: withTls({ chain: certificateWith({ signature_algorithm: 'rsassaPssWithSHA1' }) }),
    expected: ['tls.weak_signature'],
  },
  {
    name: 'RSA with 1024 bits',
    capture: withTls({ chain: certificateWith({ key_type: 'rsa', key_bits: 1024 }) }),
    expected: [{ check: 'tls.weak_key', locator: `${origin} certificate` }],
  },
  {
    name: 'signed with SHA-1',
    capture: withTls({ chain: certificateWith({ signature_algorithm: 'sha1WithRSAEncryption' }) }),
    expected: ['tls.weak_signature'],
  },
  {
    name: 'a root signed with SHA-1',
    capture: withTls({
      chain: [
        ...certificateWith({}),
        { ...certificateWith({})[1]!, self_signed: true, signature_algorithm: 'sha1WithRSAEncryption' },
      ],
    }),
    expected: [],
  },
  {
    name: 'no CAA record',
    capture: captureWith({ caa: seen({ found_at: null, records: [] }) }),
    expected: [{ check: 'tls.no_caa', locator: 'portal.example.com' }],
  },
  {
    name: 'a host that can have no CAA record',
    capture: captureWith({ caa: seen(null) }),
    expected: [],
    notAssessed: ['tls.no_caa'],
  },
  {
    name: 'an IP address without TLS',
    capture: captureWith({ tls: notSeen(), caa: notSeen() }),
    expected: [],
    notAssessed: [
      ...ofCertificate,
      ...['tls.legacy_protocol', 'tls.weak_cipher', 'tls.weak_dh_group', 'tls.no_tls13', 'tls.no_caa'],
    ],
  },
  {
    name: 'a handshake without a certificate',
    capture: withTls({ chain: [] }),
    expected: [],
    notAssessed: ofCertificate,
  },
];
