import type http from 'node:http';
import type { NameAnswer } from './name-server.ts';
import { authority } from './scan-website.ts';

/** A website without findings, which tests and the measurement of accuracy change in one respect. */

/** The name under which all sites are scanned. Only scans resolve it, to this machine. */
export const siteName = 'portal.clinic.com';

export const leaf = authority.issue({ covers: [siteName] });

/** The TLS settings of the hardened site. */
export const goodTls = {
  key: leaf.key,
  cert: leaf.chain,
  minVersion: 'TLSv1.2',
  ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20',
} as const;

/** Records that a name server of the site answers. */
export const records = (type: 'TXT' | 'MX' | 'CAA' | 'DS', owner: string, ...data: string[]) => ({
  [`${owner} ${type}`]: { records: [{ name: owner, type, data }] },
});

/** Of the site and its domain. */
export const goodRecords: Readonly<Record<string, NameAnswer>> = {
  ...records('CAA', 'clinic.com', 'issue', 'ca.example'),
  ...records('TXT', 'clinic.com', 'v=spf1 mx -all'),
  ...records('TXT', '_dmarc.clinic.com', 'v=DMARC1; p=reject'),
  ...records('MX', 'clinic.com', 'mx.clinic.com'),
  ...records('DS', 'clinic.com'),
};

export const goodHeaders: http.OutgoingHttpHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
