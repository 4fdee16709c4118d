import type { TargetGuard } from '../connection/target-guard.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import type { ResolveCaa } from './caa.ts';
import { createRedaction, credentialHeader, type WebsiteCredential } from './credential.ts';
import { HttpClient } from './http-client.ts';
import type { OriginHeaders } from './navigate.ts';
import { coverageOf, guardAt, type Proof } from './proof-coverage.ts';
import { type Reach, reachOf } from './reach.ts';
import { parseWebsiteHost, startUrl, type WebsiteTarget } from './target.ts';

export interface WebsiteOptions {
  readonly guard: TargetGuard;
  /**
   * Sent to the source's own origin only, and only over HTTPS with a trusted certificate unless the source is
   * an http:// URL. It is never part of the capture.
   */
  readonly credential?: WebsiteCredential;
  readonly signal: AbortSignal;
  readonly userAgent?: string;
  /** Certificates in PEM trusted besides the well-known ones, for sites of a private authority. */
  readonly trustedRoots?: readonly string[];
  /**
   * Collect these parts only; the others say that they were not part of the run. The way to the page always is. All parts
   * when not given.
   */
  readonly parts?: ReadonlySet<string>;
  /** `full` only with the owner's proof. Safe when not given. */
  readonly depth?: 'safe' | 'full';
  /** The proof of the domain, for a full scan. Where there is none, what a file would cover. */
  readonly proof?: Proof;
  /** The locator of the finding that is verified: of another place than the usual, perhaps. */
  readonly place?: string;
  /** Locators of open findings, most severe first: a few of them are requested again where the scan would not do so by itself. */
  readonly openPlaces?: readonly string[];
  /** Pages in which open findings were observed last: those that are there no more resolve what was found on them. */
  readonly openSubjects?: readonly string[];
  /** Instead of the depth's own. */
  readonly limits?: BudgetLimits;
  readonly resolveCaa?: ResolveCaa;
  /** Name servers for the records of the domain, as `dns.getServers()` writes them; the system's when not given. */
  readonly nameServers?: readonly string[];
}

/** What collecting and testing share: the target, the budget and the HTTP client. */
export interface Session {
  readonly target: WebsiteTarget;
  readonly reach: Reach;
  readonly budget: Budget;
  readonly client: HttpClient;
  readonly credential: OriginHeaders | null;
}

const defaultUserAgent = 'Parapet/0.1 (+security posture scan)';

/** @throws TargetRefused with `invalid_host`; WebsiteUnreachable with `invalid_credential` */
export function openSession(
  host: string,
  options: WebsiteOptions,
  /** Testing a connection asks once for what its owner has just named; collecting is more careful. */
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
  return { target, reach, budget, client, credential };
}
