import type { Assessment } from './assessment.ts';
import type { ExposureKind } from './listed-paths.ts';
import type { OriginKind } from './origin-kinds.ts';
import type { PageTraits } from './own-answer.ts';
import type { TlsFacts } from './tls.ts';

/** Header fields in the order received, including repeated ones. Names are in lowercase. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface HttpResponse {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'TRACE' | 'POST';
  /** The absolute URL that was requested. */
  readonly url: string;
  readonly status: number;
  readonly headers: HeaderList;
  /**
   * The beginning of the body after content decoding: text for documents; one character per byte (latin1) for exposure
   * probes, so that signatures of binary files can be compared.
   */
  readonly body: string;
  /** The body was longer than what was kept, or was cut off. */
  readonly body_truncated: boolean;
  /** Why the body could not be read as text and is empty, in a sentence; null if it was read. */
  readonly body_unread: string | null;
}

/** The source's host and path, and its ports. */
export interface WebsiteSite {
  /** Host name in lowercase ASCII, or a canonical IP address without brackets. */
  readonly hostname: string;
  readonly is_address: boolean;
  /** Path and query of the first request. */
  readonly path: string;
  /** Null if the source is an http URL with a nonstandard port: it has no HTTPS counterpart. */
  readonly https_port: number | null;
  /** Null if plain HTTP is not served separately. Equal to `https_port` if the source has only one port. */
  readonly http_port: number | null;
}

/** How a service answered. `served` is false if nothing, or something of another protocol, answers. */
export interface Navigation {
  readonly served: boolean;
  /** Every response from the first request to the last redirect followed. Empty if not served. */
  readonly responses: readonly HttpResponse[];
  /** Why a redirect was not followed to its end, if so. `closed`: a TLS port closed the plain HTTP connection. */
  readonly stopped:
    | 'closed'
    | 'too_many_redirects'
    | 'refused'
    | 'unreachable'
    | 'other_site'
    | 'address_too_long'
    | null;
}

export interface CaaLookup {
  /** The name that has the records, searched from the host toward the root; null if none has any. */
  readonly found_at: string | null;
  /** `issue ca.example`. */
  readonly records: readonly string[];
}

/** DNS records of a site's registrable domain: `example.com` for `portal.example.com`. */
export interface DomainRecords {
  readonly domain: string;
  /** TXT records of the domain that begin as an SPF record does (RFC 7208, 4.5). */
  readonly spf: Assessment<readonly string[]>;
  /** TXT records of `_dmarc.` and the domain that begin as a DMARC record does (RFC 7489, 6.3). */
  readonly dmarc: Assessment<readonly string[]>;
  /** Hosts that receive mail for the domain; a single empty name means none does (RFC 7505). */
  readonly mail_exchangers: Assessment<readonly string[]>;
  /** Its parent zone has a DS record for its keys (DNSSEC). */
  readonly signed: Assessment<boolean>;
}

/** A page or script in which a secret of this kind was found. If it is gone, the body is empty. */
export interface RevisitedText {
  readonly kind: string;
  /** As written in the finding's locator. */
  readonly url: string;
  readonly response: Assessment<HttpResponse>;
}

/** One request with a foreign Origin header. `is_open`: at the URL of an open finding. */
export interface CorsProbe {
  /** An endpoint is one that the page's scripts call. */
  readonly target: 'page' | 'endpoint' | 'preflight';
  readonly origin_kind: OriginKind;
  readonly origin: string;
  readonly response: Assessment<HttpResponse>;
  readonly is_open?: true;
}

export interface ExposureProbe {
  readonly path: string;
  readonly kind: ExposureKind;
  readonly response: Assessment<HttpResponse>;
  /** It was requested by POST, which only full scans do. */
  readonly posted?: true;
}

/** How one origin answered the exposure paths, without a credential. */
export interface OriginExposure {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A random path: how this site answers for a page that does not exist. */
  readonly control: Assessment<HttpResponse>;
  /**
   * Another random path, requested after the probes: a site that blocked the scan in the meantime answers it
   * differently. If one requested after a refusal was already answered differently, that answer.
   */
  readonly control_after: Assessment<HttpResponse>;
  readonly probes: readonly ExposureProbe[];
}

export interface ExposureCapture extends OriginExposure {
  /** Kinds of paths that were not all requested, because the page references more, or was not read completely. */
  readonly left_out: readonly ExposureKind[];
  /** Other origins of the site. Only the places of open findings are requested there. */
  readonly elsewhere: readonly OriginExposure[];
}

/** How a server answers methods other than GET. */
export interface MethodFacts {
  /** The requested URL, without its query. */
  readonly url: string;
  readonly options: Assessment<HttpResponse>;
  readonly trace: Assessment<TraceAnswer>;
}

export interface TraceAnswer {
  readonly status: number;
  /** The body contains the request as it was sent, including a header that the scan added (RFC 9110, 9.3.8). */
  readonly echoes: boolean;
}

/** One request with marked text in its query parameters, which shows whether the page reflects it as markup. */
export interface ReflectionProbe {
  /** Without its query. */
  readonly url: string;
  readonly parameters: readonly {
    readonly name: string;
    /** Letters and digits. The parameter's value was `markedText` of it. */
    readonly marker: string;
  }[];
  /** How the same URL answered when sent only the markers. */
  readonly harmless: Assessment<PageTraits>;
  readonly response: Assessment<HttpResponse>;
}

export interface InjectionFacts {
  readonly probes: readonly InjectionProbe[];
  /** Why parameters were left out, as a sentence; null if all were tested. */
  readonly left_out: string | null;
}

/** One request with text in a parameter, a part of a path or a field that programs should treat as data. */
export interface InjectionProbe {
  /** Without its query. */
  readonly url: string;
  readonly parameter: string;
  readonly kind: 'sql' | 'sql_doubled' | 'template' | 'redirect' | 'file';
  /** The parameter's value. */
  readonly sent: string;
  /** Letters and digits that only this scan knows. */
  readonly word: string;
  /** The response to the value that the page offers. */
  readonly usual: Assessment<HttpResponse>;
  readonly response: Assessment<HttpResponse>;
}

/** A script that the page loads from its own site. Inline scripts are part of the page's body. */
export interface PageScript {
  /** Absolute, from the page. */
  readonly url: string;
  /** The body is empty if the response is an error page rather than a script, which no browser runs. */
  readonly response: Assessment<HttpResponse>;
}

/** A text that the page does not run: a style sheet, or a source file that a source map carries. */
export interface SiteText {
  /** Of the style sheet or map, or of the script that contains its map. */
  readonly url: string;
  /** The file's name in its map; null for a style sheet, and for what was not read. */
  readonly name: string | null;
  readonly text: Assessment<string>;
  /** Only full scans read it. */
  readonly full?: true;
}

/** What was collected from a website: plain data that detectors read, and that tests can write by hand. */
export interface WebsiteCapture {
  /** ISO 8601. Detectors that compare dates use this time, since they have no clock. */
  readonly collected_at: string;
  /** The source's host as stored. */
  readonly requested_host: string;
  readonly depth: 'safe' | 'full';
  readonly site: WebsiteSite;
  readonly tls: Assessment<TlsFacts>;
  readonly https: Assessment<Navigation>;
  readonly http: Assessment<Navigation>;
  /** The document where a visitor ends up, if it is on the same site. */
  readonly page: Assessment<HttpResponse>;
  /** Whether the source's credential was sent with requests for the page. */
  readonly credential: 'none' | 'sent' | 'withheld';
  /** In the order of the page. Includes those beyond the limits, which are not assessed. */
  readonly scripts: Assessment<readonly PageScript[]>;
  /** Style sheets, and source files from source maps. A safe scan has only those of maps within scripts. */
  readonly texts: Assessment<readonly SiteText[]>;
  /** Locators of open findings of secrets, the most severe ones. */
  readonly open_secrets: readonly string[];
  /** Pages and scripts with open findings that the page no longer references. */
  readonly revisited: Assessment<readonly RevisitedText[]>;
  /** URLs of former pages with open findings that are gone or permanently redirect elsewhere. */
  readonly gone_pages: readonly string[];
  readonly cors: Assessment<readonly CorsProbe[]>;
  /** Null for hosts that have no CAA records, such as IP addresses and local names. */
  readonly caa: Assessment<CaaLookup | null>;
  /** Null if the host has no registrable domain. */
  readonly domain: Assessment<DomainRecords | null>;
  readonly exposure: Assessment<ExposureCapture>;
  /** Requested in full scans only, like the next two. */
  readonly methods: Assessment<MethodFacts>;
  readonly injections: Assessment<InjectionFacts>;
  readonly reflections: Assessment<readonly ReflectionProbe[]>;
}
