import type { Assessment } from './assessment.ts';
import type { ExposureKind } from './exposure-paths.ts';
import type { PageTraits } from './own-answer.ts';

/** Header fields in the order they came; a name that came twice is here twice. Names are in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface HttpResponse {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'TRACE';
  /** The absolute URL that was asked for. */
  readonly url: string;
  readonly status: number;
  readonly headers: HeaderList;
  /**
   * The beginning of the body after content decoding. Text for documents; for exposure probes one character
   * per byte (latin1), so that signatures of binary files can be compared.
   */
  readonly body: string;
  /** The body was longer than what was kept, or was cut off. */
  readonly body_truncated: boolean;
  /** Why the body could not be read as text and is left empty, in a sentence; null where it is here. */
  readonly body_unread: string | null;
}

/** Where the source points, and which ports that means. */
export interface WebsiteSite {
  /** Host name in lower case and ASCII, or an address in canonical form without brackets. */
  readonly hostname: string;
  readonly is_address: boolean;
  /** Path and query of the first request. */
  readonly path: string;
  /** Null when the source names an http URL with a port of its own: there is no HTTPS sibling to ask. */
  readonly https_port: number | null;
  /** Null when plain HTTP has no place of its own. Equal to `https_port` when the source names one port. */
  readonly http_port: number | null;
}

/** How a service answered. `served` is false when nothing, or something that is not this protocol, answers. */
export interface Navigation {
  readonly served: boolean;
  /** Every response from the first request to the last redirect followed. Empty when not served. */
  readonly responses: readonly HttpResponse[];
  /** Why a redirect was not followed to its end, if so. `closed`: a port for TLS closed the connection of plain HTTP. */
  readonly stopped:
    | 'closed'
    | 'too_many_redirects'
    | 'refused'
    | 'unreachable'
    | 'other_site'
    | 'address_too_long'
    | null;
}

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
  /** Modulus length of RSA and DSA keys, field size of elliptic curve keys, null where unknown. */
  readonly key_bits: number | null;
  /** A short name such as `sha256WithRSAEncryption`, or the object identifier when it has none here. */
  readonly signature_algorithm: string;
  readonly self_signed: boolean;
  /** It names an address from which its issuer's certificate can be fetched (RFC 5280, 4.2.2.1). */
  readonly names_issuer_location: boolean;
}

export interface WeakCiphers {
  /** Suites that the server chose when it was offered nothing better. Names of IANA's registry. */
  readonly chosen: readonly string[];
  /** The server was asked until it refused: it knows no other broken suite. */
  readonly is_complete: boolean;
}

export interface TlsFacts {
  readonly negotiated_version: string;
  readonly negotiated_cipher: string;
  readonly protocols: readonly TlsProtocolSupport[];
  readonly weak_ciphers: Assessment<WeakCiphers>;
  /** The server's certificate first, then the issuers that are known. */
  readonly chain: readonly CertificateFacts[];
  /** The certificate covers the host that was asked for (RFC 9525). */
  readonly hostname_matches: boolean;
  /** OpenSSL's reason for not trusting the chain, null when it is trusted. */
  readonly authorization_error: string | null;
}

export interface CaaLookup {
  /** The name at which records were found, climbing from the host towards the root; null when none has any. */
  readonly found_at: string | null;
  /** `issue ca.example`. */
  readonly records: readonly string[];
}

/** What DNS says about the registrable domain of a site: `example.com` for `portal.example.com`. */
export interface DomainRecords {
  readonly domain: string;
  /** TXT records of the domain that begin as an SPF record does (RFC 7208, 4.5). */
  readonly spf: Assessment<readonly string[]>;
  /** TXT records of `_dmarc.` and the domain that begin as a DMARC record does (RFC 7489, 6.3). */
  readonly dmarc: Assessment<readonly string[]>;
  /** Hosts that take mail for the domain; one empty name means none does (RFC 7505). */
  readonly mail_exchangers: Assessment<readonly string[]>;
  /** Its parent vouches for its keys (DNSSEC). */
  readonly signed: Assessment<boolean>;
}

/** A page or script in which a secret of this kind was found. One that is gone has an empty body. */
export interface RevisitedText {
  readonly kind: string;
  /** As the finding's locator has it. */
  readonly url: string;
  readonly response: Assessment<HttpResponse>;
}

/** One request for the page with an Origin header that is not the site's own. */
export interface CorsProbe {
  /**
   * `foreign` is a made-up https origin, `lookalike` one that begins with the site's own name, `null` the
   * origin of sandboxed documents.
   */
  readonly origin_kind: 'foreign' | 'lookalike' | 'null';
  readonly origin: string;
  readonly response: Assessment<HttpResponse>;
}

export interface ExposureProbe {
  readonly path: string;
  readonly kind: ExposureKind;
  readonly response: Assessment<HttpResponse>;
}

/** What one origin answered for paths, without a credential. */
export interface OriginExposure {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A path nobody made: what this site answers for a page that does not exist. */
  readonly control: Assessment<HttpResponse>;
  /**
   * Another such path, requested after the probes: a site that began to block the scan in between answers it differently. One that was
   * requested after a refusal, if that was answered differently already.
   */
  readonly control_after: Assessment<HttpResponse>;
  readonly probes: readonly ExposureProbe[];
}

export interface ExposureCapture extends OriginExposure {
  /** Kinds of which the page names more paths than were asked for, or may: not all of it was read. */
  readonly left_out: readonly ExposureKind[];
  /** Other origins of the site, asked for the places of open findings only. */
  readonly elsewhere: readonly OriginExposure[];
}

/** What a server says and does about methods other than GET. */
export interface MethodFacts {
  /** The URL that was asked about, without its query. */
  readonly url: string;
  readonly options: Assessment<HttpResponse>;
  readonly trace: Assessment<TraceAnswer>;
}

export interface TraceAnswer {
  readonly status: number;
  /** The body holds the request as it was sent, a header of ours included (RFC 9110, 9.3.8). */
  readonly echoes: boolean;
}

/** One request whose query parameters carried marked text, to see whether it comes back as markup. */
export interface ReflectionProbe {
  /** Without its query. */
  readonly url: string;
  readonly parameters: readonly {
    readonly name: string;
    /** Letters and digits. The parameter's value was `markedText` of it. */
    readonly marker: string;
  }[];
  /** What the same address showed with the bare markers in place of the marked text. */
  readonly harmless: Assessment<PageTraits>;
  readonly response: Assessment<HttpResponse>;
}

/** A script that the page loads from its own site. Scripts within the page are part of the page's body. */
export interface PageScript {
  /** Absolute, as the page names it. */
  readonly url: string;
  /** Of what is no script but an error page, and so runs nowhere, the body is left empty. */
  readonly response: Assessment<HttpResponse>;
}

/** What a website showed: plain data that detectors read, and that tests build by hand. */
export interface WebsiteCapture {
  /** ISO 8601. Detectors that compare dates use this moment, since they have no clock. */
  readonly collected_at: string;
  /** The source's host as it is stored. */
  readonly requested_host: string;
  readonly site: WebsiteSite;
  readonly tls: Assessment<TlsFacts>;
  readonly https: Assessment<Navigation>;
  readonly http: Assessment<Navigation>;
  /** The document that a visitor ends up with, if it is on the same site. */
  readonly page: Assessment<HttpResponse>;
  /** Whether the source's credential went along with requests for the page. */
  readonly credential: 'none' | 'sent' | 'withheld';
  /** In the order of the page. What the limits left no room for is here too, not assessed. */
  readonly scripts: Assessment<readonly PageScript[]>;
  /** Pages and scripts of open findings that the page leads to no more. */
  readonly revisited: Assessment<readonly RevisitedText[]>;
  /** Addresses of former pages, of which findings are open, that are there no more or lead elsewhere for good. */
  readonly gone_pages: readonly string[];
  readonly cors: Assessment<readonly CorsProbe[]>;
  readonly caa: Assessment<CaaLookup>;
  /** Null when the host is not within a domain that somebody has registered for it. */
  readonly domain: Assessment<DomainRecords | null>;
  readonly exposure: Assessment<ExposureCapture>;
  /** Asked about in full scans only. */
  readonly methods: Assessment<MethodFacts>;
  /** Asked for in full scans only. */
  readonly reflections: Assessment<readonly ReflectionProbe[]>;
}
