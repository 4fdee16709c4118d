import type { ConnectionCause } from '../contract/causes.ts';
import type { Credential } from '../contract/sources.ts';
import type { CaptureOf } from '../detectors/catalogue.ts';
import type { TargetSurface } from '../detectors/detector.ts';
import { ConnectionFailed } from '../surfaces/connection/connection-failed.ts';
import { type TargetGuard, TargetRefused } from '../surfaces/connection/target-guard.ts';
import { collectWebsite } from '../surfaces/website/collect.ts';
import { WebsiteUnreachable } from '../surfaces/website/failure.ts';
import type { Proof } from '../surfaces/website/proof-coverage.ts';
import type { WebsiteOptions } from '../surfaces/website/session.ts';
import type { OpenableSource } from './source.ts';

export interface CollectionOptions {
  readonly guard: TargetGuard;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** PEM certificates that are trusted instead of the well-known ones. */
  readonly trustedRoots?: readonly string[];
  /** How much is requested from a website: `full` only with its owner's proof. Default: `safe`. */
  readonly depth?: 'safe' | 'full';
  /** The proof of a website's domain, for a full scan. */
  readonly proof?: Proof;
  /** The parts of the capture that are needed. Default: all. Databases are always captured in full. */
  readonly parts?: ReadonlySet<string>;
  /** The locator of the finding that is verified. */
  readonly place?: string;
  /** Locators of open findings whose places are requested again, most severe first. */
  readonly openPlaces?: readonly string[];
  /**
   * Pages on which open findings were last observed: if a page no longer exists, its findings are resolved.
   */
  readonly openSubjects?: readonly string[];
}

type Collect<S extends TargetSurface> = (
  source: OpenableSource,
  options: CollectionOptions,
) => Promise<CaptureOf[S]>;

/**
 * Collects from each kind of source. A process inspects few kinds, so drivers are loaded when they are
 * needed.
 */
const collectors: { readonly [S in TargetSurface]: Collect<S> } = {
  website: (source, options) => collectWebsite(source.host, websiteOptions(source, options)),
  postgres: async (source, options) => {
    const credential = credentialOf(source, 'dsn');
    const { collectPostgres } = await import('../surfaces/postgres/collect.ts');
    return collectPostgres(source.host, { ...options, credential });
  },
  mysql: async (source, options) => {
    const credential = credentialOf(source, 'dsn');
    const { collectMysql } = await import('../surfaces/mysql/collect.ts');
    return collectMysql(source.host, { ...options, credential });
  },
  redis: async (source, options) => {
    const credential = credentialOf(source, 'dsn');
    const { collectRedis } = await import('../surfaces/redis/collect.ts');
    return collectRedis(source.host, { ...options, credential });
  },
  supabase: async (source, options) => {
    const credential = credentialOf(source, 'service_role');
    const { collectSupabase } = await import('../surfaces/supabase/collect.ts');
    return collectSupabase(source.host, { ...options, credential });
  },
};

/**
 * Captures the source once with the surface of its kind. Rejects with errors that `causeOf` maps, or when
 * aborted.
 */
export async function collect(source: OpenableSource, options: CollectionOptions): Promise<unknown> {
  return collectors[source.kind](source, options);
}

/** The error code of a target that cannot be scanned; undefined for a failure of this service. */
export function causeOf(error: unknown): ConnectionCause | undefined {
  const isOfTarget =
    error instanceof TargetRefused ||
    error instanceof WebsiteUnreachable ||
    error instanceof ConnectionFailed;
  return isOfTarget ? error.errorCode : undefined;
}

/** @throws ConnectionFailed with `credential_missing` when the source has none of the type. */
function credentialOf<Type extends Credential['type']>(
  { credential }: OpenableSource,
  type: Type,
): Extract<Credential, { type: Type }> {
  if (credential?.type !== type) throw new ConnectionFailed('credential_missing');
  return credential as Extract<Credential, { type: Type }>;
}

export function websiteOptions(source: OpenableSource, options: CollectionOptions): WebsiteOptions {
  const { credential } = source;
  const fits = credential?.type === 'basic' || credential?.type === 'header';
  return { ...options, ...(fits ? { credential } : {}) };
}
