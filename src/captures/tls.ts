import type { Assessment } from './assessment.ts';

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

export interface TlsProtocolSupport {
  readonly version: TlsVersion;
  readonly support: 'accepted' | 'refused' | 'not_assessed';
  /** Why it was not assessed. */
  readonly reason?: string;
}

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** `DNS:example.com`, `IP Address:192.0.2.1`. */
  readonly subject_alt_names: readonly string[];
  /** ISO 8601. */
  readonly not_before: string;
  readonly not_after: string;
  readonly key_type: string;
  /** Modulus length of RSA and DSA keys, field size of elliptic curve keys, null if unknown. */
  readonly key_bits: number | null;
  /** A short name such as `sha256WithRSAEncryption`, or the object identifier if it has none here. */
  readonly signature_algorithm: string;
  readonly self_signed: boolean;
  /** It names a URL that serves its issuer's certificate (RFC 5280, 4.2.2.1). */
  readonly names_issuer_location: boolean;
  /** Clients must refuse it without a stapled OCSP response (RFC 7633). */
  readonly must_staple: boolean;
  /** It contains timestamps of certificate transparency logs (RFC 6962, 3.3). */
  readonly has_timestamps: boolean;
}

export interface WeakCiphers {
  /** Suites that the server chose when it was offered nothing better. Names from IANA's registry. */
  readonly chosen: readonly string[];
  /** Suites were offered until the server refused: it supports no other broken suite. */
  readonly is_complete: boolean;
}

/** What one handshake shows. */
export interface HandshakeFacts {
  readonly negotiated_version: string;
  readonly negotiated_cipher: string;
  /** The server's certificate first, then its known issuers. */
  readonly chain: readonly CertificateFacts[];
  /** A subject alternative name of the certificate covers the requested host (RFC 9525). */
  readonly hostname_matches: boolean;
  /** OpenSSL's reason for not trusting the chain, null if it is trusted. */
  readonly authorization_error: string | null;
  /** The chain ends at a root that Mozilla trusts. */
  readonly publicly_trusted: boolean;
  /** The server sent an OCSP response with its certificate (RFC 6066, 8). */
  readonly stapled: boolean;
}

export interface TlsFacts extends HandshakeFacts {
  readonly protocols: readonly TlsProtocolSupport[];
  readonly weak_ciphers: Assessment<WeakCiphers>;
  /** Bits of the Diffie-Hellman group that the server chose when it was offered nothing else; null if it refused. */
  readonly dh_bits: Assessment<number | null>;
  /** Timestamps of certificate transparency logs: in the certificate, or beside it (RFC 6962, 3.3). */
  readonly has_timestamps: Assessment<boolean>;
  /** Further hosts, over HTTPS, to which the site redirects, and of open findings: null if nothing answers there. */
  readonly further_hosts: readonly {
    readonly origin: string;
    readonly handshake: Assessment<HandshakeFacts | null>;
  }[];
}
