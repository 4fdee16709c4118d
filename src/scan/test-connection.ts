import type { ConnectionCause } from '../contract/causes.ts';
import { withinTime } from '../domain/within-time.ts';
import { testWebsite } from '../surfaces/website/test-connection.ts';
import { type CollectionOptions, websiteOptions } from './collect.ts';
import type { OpenableSource } from './source.ts';

/** Seconds that a connection test may take in total. */
const timeoutSeconds = 15;

export type ConnectionOutcome =
  | { readonly ok: true; readonly latencyMs: number }
  | { readonly ok: false; readonly errorCode: ConnectionCause; readonly latencyMs: number };

/** Connects to a source once, with the surface of its kind. Failures of the target are in the result. */
export async function testConnection(
  source: OpenableSource,
  options: Omit<CollectionOptions, 'signal'>,
): Promise<ConnectionOutcome> {
  return withinTime(timeoutSeconds * 1000, undefined, async signal => {
    try {
      return await testByKind(source, { ...options, signal });
    } catch (error) {
      if (signal.aborted) return { ok: false, errorCode: 'timeout', latencyMs: timeoutSeconds * 1000 };
      throw error;
    }
  });
}

async function testByKind(source: OpenableSource, options: CollectionOptions): Promise<ConnectionOutcome> {
  const { kind, host, credential } = source;
  if (kind === 'website') return testWebsite(host, websiteOptions(source, options));
  if (kind === 'postgres' && credential?.type === 'dsn') {
    const { testPostgres } = await import('../surfaces/postgres/test-connection.ts');
    return testPostgres(host, { ...options, credential });
  }
  if (kind === 'mysql' && credential?.type === 'dsn') {
    const { testMysql } = await import('../surfaces/mysql/test-connection.ts');
    return testMysql(host, { ...options, credential });
  }
  if (kind === 'redis' && credential?.type === 'dsn') {
    const { testRedis } = await import('../surfaces/redis/test-connection.ts');
    return testRedis(host, { ...options, credential });
  }
  if (kind === 'supabase' && credential?.type === 'service_role') {
    const { testSupabase } = await import('../surfaces/supabase/test-connection.ts');
    return testSupabase(host, { ...options, credential });
  }
  return { ok: false, errorCode: 'invalid_credential', latencyMs: 0 };
}
