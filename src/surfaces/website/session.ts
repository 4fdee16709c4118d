import tls from 'node:tls';
import type { TargetGuard } from '../connection/target-guard.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import type { ResolveCaa } from './caa.ts';
import { createRedaction, credentialHeader, type WebsiteCredential } from './credential.ts';
import { HttpClient } from './http-client.ts';
import type { OriginHeaders } from './navigate.ts';
import { coverageOf, guardAt, type Proof } from './proof-coverage.ts';
import { type Reach, reachOf } from './reach.ts';
import { parseWebsiteHost, startUrl, type WebsiteTarget } from './target.ts';
import type { Roots } from './tls.ts';

export interface WebsiteOptions {
  readonly guard: TargetGuard;
  /**
   * Sent to the source's own origin only, and only over HTTPS with a trusted certificate unless the source is an
   * http:// URL. It is never part of the capture.
   */
  readonly credential?: WebsiteCredential;
  readonly signal: AbortSignal;
  readonly userAgent?: string;
  /** PEM certificates that are trusted instead of the well-known ones, for sites of a private authority. */
  readonly trustedRoots?: readonly string[];
  /** PEM certificates of public authorities. Default: Mozilla’s, which Node contains. */
  readonly publicRoots?: readonly string[];
  /**
   * Collect only these parts; the others are marked as not part of the run. The page itself is always requested.
   * Default: all parts.
   */
  readonly parts?: ReadonlySet<string>;
  /** `full` only with the owner's proof. Default `safe`. */
  readonly depth?: 'safe' | 'full';
  /** The proof of the domain, for a full scan. Without one, the scan covers what a file would. */
  readonly proof?: Proof;
  /** The locator of the finding to verify, possibly of an unusual place. */
  readonly place?: string;
  /**
   * Locators of open findings, most severe first: a few of them are requested again if the scan would not do so anyway.
   */
  readonly openPlaces?: readonly string[];
  /** Pages where open findings were last observed: those that are gone resolve their findings. */
  readonly openSubjects?: readonly string[];
  /** Replaces the limits of the depth. */
  readonly limits?: BudgetLimits;
  readonly resolveCaa?: ResolveCaa;
  /** Name servers for the records of the domain, as `dns.getServers()` writes them. Default: the system's. */
  readonly nameServers?: readonly string[];
}

/** Used by both collecting and testing: the target, the budget and the HTTP client. */
export interface Session {
  readonly target: WebsiteTarget;
  readonly reach: Reach;
  readonly budget: Budget;
  readonly client: HttpClient;
  readonly credential: OriginHeaders | null;
  readonly roots: Roots;
}

const defaultUserAgent = 'Parapet/0.1 (+security posture scan)';

/** @throws TargetRefused with `invalid_host`; WebsiteUnreachable with `invalid_credential` */
export function openSession(
  host: string,
  options: WebsiteOptions,
  /** A connection test sends one request that a person just initiated; collecting also follows robots.txt. */
  Client: typeof HttpClient = HttpClient,
): Session {
  options.signal.throwIfAborted();
  const target = parseWebsiteHost(host);
  const reach = reachOf(target.site.hostname, options.depth, options.place);
  const budget = new Budget(options.signal, options.limits ?? reach.limits);
  const { proof, guard } = options;
  const coverage = (url: URL) => coverageOf(proof, target.site, url);
  const client = new Client({
    guard: proof?.address === undefined ? guard : guardAt(proof.address, target.site.hostname, guard),
    budget,
    userAgent: options.userAgent ?? defaultUserAgent,
    trustedRoots: options.trustedRoots ?? [],
    redact: createRedaction(options.credential),
    ...(options.depth === 'full' ? { coverage } : {}),
  });
  const home = startUrl(target, target.explicitHttp ? 'http' : 'https');
  const credential =
    options.credential === undefined || home === null
      ? null
      : { origin: home.origin, headers: Object.fromEntries([credentialHeader(options.credential)]) };
  const roots = { trusted: options.trustedRoots ?? [], public: options.publicRoots ?? tls.rootCertificates };
  return { target, reach, budget, client, credential, roots };
}
