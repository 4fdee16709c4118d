import type { MysqlCapture } from '../captures/mysql.ts';
import type { PostgresCapture } from '../captures/postgres.ts';
import type { ProbeCapture } from '../captures/probe.ts';
import type { RedisCapture } from '../captures/redis.ts';
import type { ShieldCapture } from '../captures/shield.ts';
import type { SupabaseCapture } from '../captures/supabase.ts';
import type { WebsiteCapture } from '../captures/website.ts';
import type { DetectorDescription } from '../domain/check-description.ts';
import type { Check, Detector, Surface } from './detector.ts';
import { mysqlAccountsDetector } from './mysql/accounts/detector.ts';
import { mysqlConfigurationDetector } from './mysql/configuration/detector.ts';
import { mysqlGrantsDetector } from './mysql/grants/detector.ts';
import { mysqlSettingsDetector } from './mysql/settings/detector.ts';
import { mysqlTransportDetector } from './mysql/transport/detector.ts';
import { mysqlVersionDetector } from './mysql/version/detector.ts';
import { postgresAccessDetector } from './postgres/access/detector.ts';
import { postgresApiDetector } from './postgres/api/detector.ts';
import { postgresClientRulesDetector } from './postgres/client-rules/detector.ts';
import { postgresConfigurationDetector } from './postgres/configuration/detector.ts';
import { postgresExtensionsDetector } from './postgres/extensions/detector.ts';
import { postgresFunctionsDetector } from './postgres/functions/detector.ts';
import { postgresLoggingDetector } from './postgres/logging/detector.ts';
import { postgresPrivilegesDetector } from './postgres/privileges/detector.ts';
import { postgresRolesDetector } from './postgres/roles/detector.ts';
import { postgresRowSecurityDetector } from './postgres/row-security/detector.ts';
import { postgresSettingsDetector } from './postgres/settings/detector.ts';
import { postgresStorageDetector } from './postgres/storage/detector.ts';
import { postgresVersionDetector } from './postgres/version/detector.ts';
import { probePresenceDetector } from './probe/presence/detector.ts';
import { redisAccessDetector } from './redis/access/detector.ts';
import { redisCompromiseDetector } from './redis/compromise/detector.ts';
import { redisConfigurationDetector } from './redis/configuration/detector.ts';
import { redisTransportDetector } from './redis/transport/detector.ts';
import { redisUsersDetector } from './redis/users/detector.ts';
import { redisVersionDetector } from './redis/version/detector.ts';
import { remediationOf } from './remediation/step.ts';
import { shieldFirewallDetector } from './shield/firewall/detector.ts';
import { shieldRequestsDetector } from './shield/requests/detector.ts';
import { supabaseAuthDetector } from './supabase/auth/detector.ts';
import { supabaseStorageDetector } from './supabase/storage/detector.ts';
import { supabaseTablesDetector } from './supabase/tables/detector.ts';
import { cookiesDetector } from './website/cookies/detector.ts';
import { cspDetector } from './website/csp/detector.ts';
import { exposureDetector } from './website/exposure/detector.ts';
import { headersDetector } from './website/headers/detector.ts';
import { hipaaDetector } from './website/hipaa/detector.ts';
import { injectionDetector } from './website/injection/detector.ts';
import { librariesDetector } from './website/libraries/detector.ts';
import { mailDetector } from './website/mail/detector.ts';
import { methodsDetector } from './website/methods/detector.ts';
import { pageDetector } from './website/page/detector.ts';
import { reflectionDetector } from './website/reflection/detector.ts';
import { secretsDetector } from './website/secrets/detector.ts';
import { softwareDetector } from './website/software/detector.ts';
import { tlsDetector } from './website/tls/detector.ts';
import { transportDetector } from './website/transport/detector.ts';

/** The capture of each surface. */
export interface CaptureOf {
  website: WebsiteCapture;
  postgres: PostgresCapture;
  mysql: MysqlCapture;
  redis: RedisCapture;
  supabase: SupabaseCapture;
  probe: ProbeCapture;
  shield: ShieldCapture;
}

type Catalogue = { readonly [S in Surface]: readonly Detector<CaptureOf[S]>[] };

/** Every detector, in the order of running and reporting. */
const catalogue: Catalogue = {
  website: [
    tlsDetector,
    transportDetector,
    cspDetector,
    headersDetector,
    cookiesDetector,
    exposureDetector,
    softwareDetector,
    pageDetector,
    hipaaDetector,
    mailDetector,
    secretsDetector,
    librariesDetector,
    methodsDetector,
    reflectionDetector,
    injectionDetector,
  ],
  postgres: [
    postgresVersionDetector,
    postgresSettingsDetector,
    postgresConfigurationDetector,
    postgresAccessDetector,
    postgresClientRulesDetector,
    postgresRolesDetector,
    postgresPrivilegesDetector,
    postgresRowSecurityDetector,
    postgresApiDetector,
    postgresFunctionsDetector,
    postgresExtensionsDetector,
    postgresLoggingDetector,
    postgresStorageDetector,
  ],
  mysql: [
    mysqlTransportDetector,
    mysqlAccountsDetector,
    mysqlGrantsDetector,
    mysqlSettingsDetector,
    mysqlConfigurationDetector,
    mysqlVersionDetector,
  ],
  redis: [
    redisAccessDetector,
    redisTransportDetector,
    redisUsersDetector,
    redisConfigurationDetector,
    redisCompromiseDetector,
    redisVersionDetector,
  ],
  supabase: [supabaseTablesDetector, supabaseStorageDetector, supabaseAuthDetector],
  probe: [probePresenceDetector],
  shield: [shieldRequestsDetector, shieldFirewallDetector],
};

/** The detectors that read a surface's capture. */
export function detectorsFor<S extends Surface>(surface: S): Catalogue[S] {
  return catalogue[surface];
}

const checks = new Map<string, Check>(
  Object.values(catalogue)
    .flatMap(detectors => detectors.flatMap(({ checks }) => checks))
    .map(check => [check.id, check]),
);

/** The check of a finding's category; undefined for checks that are no longer in the catalogue. */
export function checkById(id: string): Check | undefined {
  return checks.get(id);
}

/** Descriptions of every detector of every surface. */
export function allDetectors(): readonly DetectorDescription[] {
  return Object.values(catalogue).flatMap(detectors =>
    detectors.map(({ name, surface, checks }) => ({
      name,
      surface,
      checks: checks.map(({ fix, ...check }) => ({ ...check, remediation: remediationOf(check.id, fix) })),
    })),
  );
}

/** Every check of every surface. */
export function allChecks(): readonly Check[] {
  return [...checks.values()];
}

/** All ids of the check that has or had this id: findings may be stored under a former id. */
export function idsOfCheck(id: string): ReadonlySet<string> {
  const check = checks.get(id) ?? allChecks().find(({ formerIds }) => formerIds?.includes(id));
  return new Set(check ? [check.id, ...(check.formerIds ?? [])] : [id]);
}
