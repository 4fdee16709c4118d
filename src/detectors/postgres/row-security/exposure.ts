import {
  authSchemas,
  type PostgresAccess,
  type PostgresCapture,
  type PostgresRelation,
} from '../../../captures/postgres.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import { isSensitiveName } from '../../lexicon/sensitive-names.ts';
import { servedApi } from '../api/served.ts';
import { providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { rowSecurityChecks as checks } from './checks.ts';
import { keyOf, Policies } from './policy.ts';

/**
 * Exposed accounts, health data and identity data. PUBLIC means every role that can sign in to the database;
 * for API roles, only the schemas that the API serves count.
 */
export function detectExposure(found: DetectionBuilder, capture: PostgresCapture): void {
  const both = [checks.authExposed, checks.sensitiveColumn];
  const relations = rowsOf(found, both, capture.relations);
  const policies = rowsOf(found, both, capture.policies);
  if (!capture.policies.assessed) return;
  const api = servedApi(capture);
  const served = (schema: string) => api.assessed && api.value.schemas.has(schema);
  const anonymous = (role: string) => role === 'PUBLIC' || (api.assessed && api.value.anonymous.has(role));
  // What its roles may read counts only if their API serves it.
  if (!api.assessed && relations.some(({ access }) => access.some(({ role }) => role !== 'PUBLIC')))
    found.cannotAssess(both, api.reason);
  const guarded = new Set(policies.map(keyOf));
  const known = new Policies(policies);
  if (known.gap !== null) found.cannotAssess([checks.sensitiveColumn], known.gap);

  const authPlaces = relations.flatMap(relation => {
    const { schema, name, kind, access, row_security } = relation;
    const isAuthTable = authSchemas.includes(schema) && kind === 'table';
    // Row security without a policy hides every row, regardless of grants.
    if (isAuthTable && row_security && !guarded.has(`${schema}.${name}`)) return [];
    const isWindow = readsAuth(relation);
    if (!isAuthTable && !isWindow) return [];
    const readers = access.filter(({ read }) => read);
    const open = isAuthTable ? readers : readers.filter(({ role }) => role === 'PUBLIC' || served(schema));
    if (open.length === 0) return [];
    // Behind a login, or in a schema that is not served, an attack needs one more step.
    const near = open.some(({ role }) => anonymous(role) && (role === 'PUBLIC' || served(schema)));
    return [
      {
        locator: `${kind} ${schema}.${name}`,
        seen: `The ${kind} ${quoted(`${schema}.${name}`, 140)} ${isWindow ? 'exposes authentication tables and ' : ''}is readable by ${rolesOf(open)}.`,
        ...(near ? {} : { severity: 'high' as const }),
      },
    ];
  });
  observeEach(found, checks.authExposed, authPlaces);

  const provider = providerOf(capture);
  const byName = new Map(relations.map(relation => [`${relation.schema}.${relation.name}`, relation]));
  // Columns of one table have the same readers, so its policies are evaluated once.
  const seers = new Map<PostgresRelation, ReadonlySet<string>>();
  const showsRows = (relation: PostgresRelation, role: string) => {
    const roles = seers.get(relation) ?? rolesThatSeeAll(relation, known);
    seers.set(relation, roles);
    return roles.has('PUBLIC') || roles.has(role);
  };
  const columns = rowsOf(found, [checks.sensitiveColumn], capture.columns);
  const columnPlaces = columns.flatMap(({ schema, relation: name, name: column, readers }) => {
    const relation = byName.get(`${schema}.${name}`);
    if (relation === undefined || provider?.schemas.includes(schema) || !isSensitiveName(column)) return [];
    const open = readers.filter(role => role === 'PUBLIC' || (anonymous(role) && served(schema)));
    const showing = open.filter(role => showsRows(relation, role));
    if (showing.length === 0) return [];
    return [
      {
        locator: `column ${schema}.${name}.${column}`,
        seen: `The column ${quoted(`${schema}.${name}.${column}`, 200)} is readable by ${quoted(showing.join(', '), 80)}.`,
        // A view may filter rows by user, which the capture does not show.
        ...(relation.kind === 'view' ? { severity: 'medium' as const } : {}),
      },
    ];
  });
  observeEach(found, checks.sensitiveColumn, columnPlaces);
}

const rolesOf = (access: readonly PostgresAccess[]) => quoted(access.map(({ role }) => role).join(', '), 80);

/** A view elsewhere that reads authentication tables with its owner's rights. */
const readsAuth = ({ schema, kind, security_invoker, reads_schemas }: PostgresRelation) =>
  !authSchemas.includes(schema) &&
  (kind === 'materialized view' || (kind === 'view' && !security_invoker)) &&
  reads_schemas.some(read => authSchemas.includes(read));

/** Roles, or `PUBLIC`, that see every row if they may read the relation. */
function rolesThatSeeAll(relation: PostgresRelation, policies: Policies): ReadonlySet<string> {
  const all = new Set(['PUBLIC']);
  const none = new Set<string>();
  if (relation.kind === 'view') return relation.security_invoker ? none : all;
  if (!relation.row_security) return all;
  return new Set(
    policies
      .of(`${relation.schema}.${relation.name}`)
      .filter(
        policy =>
          (policy.command === 'select' || policy.command === 'all') &&
          policy.using === 'always_true' &&
          policies.permits(policy),
      )
      .flatMap(({ roles }) => roles),
  );
}
