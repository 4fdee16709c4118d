import type { PostgresCapture, PostgresRelation } from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { databaseSubject } from '../database-subject.ts';
import { isOfProvider, providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { Policies } from '../row-security/policy.ts';
import { apiChecks as checks } from './checks.ts';
import { type ServedApi, servedApi } from './served.ts';

const ofApi: readonly Check[] = [
  ...[checks.ownersView, checks.materializedView, checks.foreignTable, checks.queue, checks.graphql],
  ...[checks.definerFunction, checks.extensionServed],
];

/** What an API serves besides tables, and what is particular to databases of APIs. */
export const postgresApiDetector: Detector<PostgresCapture> = {
  name: 'postgres.api',
  surface: 'postgres',
  checks: Object.values(checks),
  perSubject: databaseSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const provider = providerOf(capture);
    const api = servedApi(capture);
    if (api.assessed) detectServed(found, capture, api.value);
    else found.cannotAssess(ofApi, api.reason);
    detectListing(found, capture);
    const relations = rowsOf(found, [checks.ownerExempt], capture.relations);
    observeEach(
      found,
      checks.ownerExempt,
      relations
        .filter(({ schema, exempt_owner }) => exempt_owner !== null && !provider?.schemas.includes(schema))
        .filter(({ exempt_owner }) => !isOfProvider(provider, exempt_owner!))
        .map(({ schema, name, exempt_owner }) => ({
          locator: `table ${schema}.${name}`,
          seen: `Policies of ${quoted(`${schema}.${name}`, 140)} do not apply to its owner ${quoted(exempt_owner!, 80)}.`,
        })),
    );
    const functions = rowsOf(found, [checks.searchPath], capture.mutable_functions);
    observeEach(
      found,
      checks.searchPath,
      functions
        .filter(({ schema }) => !provider?.schemas.includes(schema))
        .map(({ signature }) => ({
          locator: signature,
          seen: `${quoted(signature, 300)} has no search_path of its own.`,
        })),
    );
    const objects = rowsOf(found, [checks.authKey, checks.regType], capture.special_objects);
    const of = (kind: string) => objects.filter(object => object.kind === kind);
    observeEach(
      found,
      checks.authKey,
      of('foreign key to auth').map(({ name }) => ({
        locator: name,
        seen: `The ${quoted(name, 200)} refers to a unique constraint of the authentication service.`,
      })),
    );
    observeEach(
      found,
      checks.regType,
      of('reg type').map(({ name, detail }) => ({
        locator: `column ${name}`,
        seen: `The column ${quoted(name, 200)} has the type ${quoted(detail, 40)}.`,
      })),
    );
  }),
};

function detectServed(found: DetectionBuilder, capture: PostgresCapture, api: ServedApi): void {
  const provider = providerOf(capture);
  const ofRelations = [checks.ownersView, checks.materializedView, checks.foreignTable, checks.queue];
  const all = rowsOf(found, [...ofRelations, checks.graphql], capture.relations);
  const served = all.filter(
    ({ schema, access }) =>
      api.schemas.has(schema) && access.length > 0 && !provider?.schemas.includes(schema),
  );
  const observe = (check: Check, some: readonly PostgresRelation[], seen: string) =>
    observeEach(
      found,
      check,
      some.map(({ kind, schema, name, access }) => ({
        locator: `${kind} ${schema}.${name}`,
        seen: `The ${kind} ${quoted(`${schema}.${name}`, 140)} is open to ${quoted(access.map(({ role }) => role).join(', '), 80)}${seen}.`,
      })),
    );
  // Those that bypass row security or show users have separate findings.
  const other = ({ bypasses_row_security, reads_schemas }: PostgresRelation) =>
    !bypasses_row_security && reads_schemas.length === 0;
  observe(
    checks.ownersView,
    served.filter(relation => relation.kind === 'view' && !relation.security_invoker && other(relation)),
    ', and runs with its owner’s rights',
  );
  observe(
    checks.materializedView,
    served.filter(relation => relation.kind === 'materialized view' && other(relation)),
    ', with all rows',
  );
  observe(
    checks.foreignTable,
    served.filter(({ kind }) => kind === 'foreign table'),
    ', with all rows',
  );
  observe(
    checks.queue,
    api.schemas.has('pgmq_public')
      ? all.filter(
          ({ schema, name, row_security, access }) =>
            schema === 'pgmq' && /^[aq]_/.test(name) && !row_security && access.length > 0,
        )
      : [],
    ', and row security is off',
  );
  detectGraphql(found, capture, served);
  detectFunctions(found, capture, api);
}

function detectGraphql(
  found: DetectionBuilder,
  capture: PostgresCapture,
  served: readonly PostgresRelation[],
): void {
  const { graphql, extensionServed } = checks;
  const extensions = rowsOf(found, [graphql, extensionServed], capture.extensions);
  const api = servedApi(capture);
  if (!api.assessed) return;
  observeEach(
    found,
    extensionServed,
    extensions
      .filter(({ schema }) => api.value.schemas.has(schema))
      .map(({ name, schema }) => ({
        locator: `extension ${name}`,
        seen: `The extension ${quoted(name, 80)} is in the schema ${quoted(schema, 80)}, which an API serves.`,
      })),
  );
  if (!extensions.some(({ name }) => name === 'pg_graphql')) return;
  const visible = new Map<string, string[]>();
  for (const { schema, name, access } of served) {
    for (const { role, read } of access) {
      // What PUBLIC may read, the API’s own roles may too.
      if (!read || role === 'PUBLIC') continue;
      const known = visible.get(role);
      if (known) known.push(`${schema}.${name}`);
      else visible.set(role, [`${schema}.${name}`]);
    }
  }
  observeEach(
    found,
    graphql,
    [...visible].map(([role, names]) => ({
      locator: `GraphQL for ${role}`,
      seen: `pg_graphql is installed, and describes ${names.length} tables or views to ${quoted(role, 60)}, such as ${quoted(names[0]!, 120)}.`,
    })),
  );
}

function detectFunctions(found: DetectionBuilder, capture: PostgresCapture, api: ServedApi): void {
  const check = checks.definerFunction;
  const provider = providerOf(capture);
  observeEach(
    found,
    check,
    rowsOf(found, [check], capture.definer_functions)
      .filter(({ schema }) => api.schemas.has(schema) && !provider?.schemas.includes(schema))
      // A grant to PUBLIC is a separate finding.
      .filter(
        ({ trigger, public_may_execute, api_roles }) =>
          !trigger && !public_may_execute && api_roles.length > 0,
      )
      .map(({ signature, api_roles, owner_is_superuser }) => ({
        locator: signature,
        seen: `${quoted(api_roles.join(', '), 80)} may execute ${quoted(signature, 260)}, which runs as ${owner_is_superuser ? 'a superuser' : 'its owner'}.`,
        ...(owner_is_superuser ? { severity: 'high' as const } : {}),
      })),
  );
}

/** Policies on Supabase’s table of files that permit all files of a bucket, or all. */
function detectListing(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.storageListing;
  const policies = rowsOf(found, [check], capture.policies).filter(
    ({ schema, relation }) => schema === 'storage' && relation === 'objects',
  );
  const known = new Policies(policies);
  if (known.gap !== null) found.cannotAssess([check], known.gap);
  const users = new Set(['PUBLIC', 'anon', 'authenticated']);
  observeEach(
    found,
    check,
    policies
      .filter(
        ({ command, using }) =>
          (command === 'select' || command === 'all') &&
          (using === 'always_true' || using === 'whole_bucket'),
      )
      .filter(policy => policy.row_security && known.permitsUsers(policy, users))
      .map(({ name, roles, using }) => ({
        locator: `policy ${name} on storage.objects`,
        seen: `The policy ${quoted(name, 80)} lets ${quoted(roles.join(', '), 80)} read ${using === 'always_true' ? 'all files' : 'all files of a bucket'}.`,
      })),
  );
}
