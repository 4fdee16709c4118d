import {
  isSkipped,
  type PostgresCapture,
  type PostgresPolicy,
  type PostgresRelation,
} from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { servedApi } from '../api/served.ts';
import { databaseSubject } from '../database-subject.ts';
import { type Provider, providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { rowSecurityChecks as checks } from './checks.ts';
import { detectExposure } from './exposure.ts';
import { keyOf, Policies, skipped } from './policy.ts';

/** Row security: policies, and ways to bypass them. */
export const postgresRowSecurityDetector: Detector<PostgresCapture> = {
  name: 'postgres.row-security',
  surface: 'postgres',
  checks: Object.values(checks),
  perSubject: databaseSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const provider = providerOf(capture);
    const ofPolicies = [checks.inactive, checks.withoutPolicy, checks.alwaysTrue, checks.userMetadata];
    // Policies on tables of the service, such as for stored files, belong to the customer too.
    const policies = rowsOf(found, ofPolicies, capture.policies);
    const ofRelations = [checks.withoutPolicy, checks.disabled, checks.ownersView];
    const relations = notOf(provider, rowsOf(found, ofRelations, capture.relations));
    detectInactive(found, notOf(provider, policies));
    const known = new Policies(policies);
    if (known.gap !== null) found.cannotAssess([checks.alwaysTrue], known.gap);
    if (policies.some(isSkipped)) found.cannotAssess([checks.userMetadata], skipped);
    detectPolicies(found, policies, known, apiRoles(relations));
    const knowsAll = capture.policies.assessed && !capture.policies.value.truncated;
    if (knowsAll) detectWithoutPolicy(found, relations, policies);
    detectServed(found, capture, relations);
    detectExposure(found, capture);
  }),
};

function notOf<T extends { readonly schema: string }>(
  provider: Provider | undefined,
  rows: readonly T[],
): readonly T[] {
  return rows.filter(({ schema }) => !provider?.schemas.includes(schema));
}

/** PUBLIC, and the roles of API users. */
const apiRoles = (relations: readonly PostgresRelation[]): ReadonlySet<string> =>
  new Set([
    ...['PUBLIC', 'anon', 'authenticated'],
    ...relations.flatMap(({ access }) => access.map(({ role }) => role)),
  ]);

function detectPolicies(
  found: DetectionBuilder,
  policies: readonly PostgresPolicy[],
  known: Policies,
  users: ReadonlySet<string>,
): void {
  const observe = (check: Check, some: readonly PostgresPolicy[], seen: string) =>
    observeEach(
      found,
      check,
      some.map(policy => ({
        locator: `policy ${policy.name} on ${keyOf(policy)}`,
        seen: `The policy ${quoted(policy.name, 80)} on ${quoted(keyOf(policy), 140)} ${seen}.`,
      })),
    );
  const isOpen = (policy: PostgresPolicy) =>
    policy.row_security &&
    policy.command !== 'select' &&
    (policy.using === 'always_true' || policy.check === 'always_true') &&
    known.permitsUsers(policy, users);
  observe(checks.alwaysTrue, policies.filter(isOpen), 'has a condition that is always true');
  const trusts = ({ using, check }: PostgresPolicy) => using === 'user_metadata' || check === 'user_metadata';
  observe(checks.userMetadata, policies.filter(trusts), 'reads user_metadata');
}

function detectInactive(found: DetectionBuilder, policies: readonly PostgresPolicy[]): void {
  const inactive = new Set(policies.filter(({ row_security }) => !row_security).map(keyOf));
  observeEach(
    found,
    checks.inactive,
    [...inactive].map(key => ({
      locator: `table ${key}`,
      seen: `The table ${quoted(key, 140)} has policies, but row security is off.`,
    })),
  );
}

function detectWithoutPolicy(
  found: DetectionBuilder,
  relations: readonly PostgresRelation[],
  policies: readonly PostgresPolicy[],
): void {
  const guarded = new Set(policies.map(keyOf));
  const places = relations
    .filter(relation => relation.row_security && !guarded.has(`${relation.schema}.${relation.name}`))
    .map(({ schema, name }) => ({
      locator: `table ${schema}.${name}`,
      seen: `The table ${quoted(`${schema}.${name}`, 140)} has row security but no policy.`,
    }));
  observeEach(found, checks.withoutPolicy, places);
}

function detectServed(
  found: DetectionBuilder,
  capture: PostgresCapture,
  relations: readonly PostgresRelation[],
) {
  const api = servedApi(capture);
  if (!api.assessed) return found.cannotAssess([checks.disabled, checks.ownersView], api.reason);
  const served = relations.filter(({ schema, access }) => api.value.schemas.has(schema) && access.length > 0);
  const who = ({ access }: PostgresRelation) => access.map(({ role }) => role).join(', ');
  const place = (relation: PostgresRelation, seen: string) => ({
    locator: `${relation.kind} ${relation.schema}.${relation.name}`,
    seen: `The ${relation.kind} ${quoted(`${relation.schema}.${relation.name}`, 140)} is open to ${quoted(who(relation), 80)}, and ${seen}.`,
  });
  observeEach(
    found,
    checks.disabled,
    served
      .filter(({ kind, row_security }) => kind === 'table' && !row_security)
      .map(relation => place(relation, 'row security is off')),
  );
  observeEach(
    found,
    checks.ownersView,
    served
      .filter(({ bypasses_row_security, security_invoker }) => bypasses_row_security && !security_invoker)
      .map(relation => place(relation, 'bypasses the row security of the tables that it reads')),
  );
}
