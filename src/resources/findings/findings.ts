import type { Expression } from 'kysely';
import type { Finding, FindingStatus, ListFindingsQuery } from '../../contract/findings.ts';
import type { Severity } from '../../contract/severity.ts';
import type { Query } from '../../database/connection.ts';
import { rowVersion, smallest, unlessKnown, versionText } from '../../database/expressions.ts';
import { newest, type Page, type PagePlaces, pageOf, readPage } from '../../database/page.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { familyOf } from './finding-conditions.ts';

/** The columns of the contract's finding. */
export const findingColumns = [
  'id',
  'severity',
  'category',
  'title',
  'remediation',
  'status',
  'created_at',
  'updated_at',
  'system_id',
] as const;

/** A row of a list. Its details are null if its version is known. */
export type ListedFinding = Readonly<
  Pick<Finding, 'id' | 'created_at'> & { version: string } & {
    [Column in Exclude<keyof Finding, 'id' | 'created_at'>]: Finding[Column] | null;
  }
>;

/** The columns of `ListedFinding`, from a row with this version. */
function listed(version: Expression<string>, known: Expression<readonly string[]>) {
  const detail = <Column extends keyof Finding>(column: Column) =>
    unlessKnown<Finding[Column]>(column, version, known).as(column);
  return [
    'id',
    detail('severity'),
    detail('category'),
    detail('title'),
    detail('remediation'),
    detail('status'),
    'created_at',
    detail('updated_at'),
    detail('system_id'),
    versionText(version).as('version'),
  ] as const;
}

interface FilterPlaces {
  readonly severity?: Expression<Severity>;
  readonly status?: Expression<FindingStatus>;
  readonly system_id?: Expression<string>;
  readonly source_id?: Expression<string>;
}

/** See `familyOf`. */
type FamilyPlaces = Readonly<Record<'name' | 'first' | 'end', Expression<string>>>;

interface ListPlaces extends PagePlaces<typeof newest> {
  readonly filters: FilterPlaces;
  /** Findings of checks that map to a HIPAA safeguard, in any category. */
  readonly hipaa: boolean;
  /** Versions of rows whose details are not read. */
  readonly known: Expression<readonly string[]>;
}

const newestFindings = prepared(({ filters, hipaa, known, ...page }: ListPlaces) =>
  pageOf(
    db
      .selectFrom('findings')
      .select(listed(rowVersion, known))
      .where(({ and }) => and(filters))
      .$if(hipaa, findings => findings.where('hipaa', '=', true)),
    newest,
    page,
  ),
);

/**
 * A prefix covers a few dozen categories, which the index lists in as many steps. The page is merged from the newest
 * rows of each, so that its cost does not depend on the number of findings.
 */
const newestOfFamily = prepared(
  ({ family, filters, known, ...page }: ListPlaces & { readonly family: FamilyPlaces }) => {
    const ofCategory = (category: Expression<string>) =>
      pageOf(
        db
          .selectFrom('findings')
          .select([...findingColumns, rowVersion.as('version')])
          .where(({ and }) => and({ ...filters, category })),
        newest,
        page,
      );
    return pageOf(
      db
        .withRecursive('matching', cte =>
          cte
            .selectFrom('findings')
            .select(({ ref, fn }) => fn.coalesce(smallest(ref('category')), family.end).as('name'))
            .where('category', '>=', family.name)
            .unionAll(
              cte
                .selectFrom('matching')
                .select(({ selectFrom }) =>
                  selectFrom('findings')
                    .select(({ ref, fn }) => fn.coalesce(smallest(ref('category')), family.end).as('name'))
                    .whereRef('findings.category', '>', 'matching.name')
                    .as('name'),
                )
                .where('matching.name', '<', family.end),
            ),
        )
        .selectFrom('matching')
        .crossJoinLateral(({ ref }) => ofCategory(ref('matching.name')).as('newest'))
        .select(({ ref }) => listed(ref('newest.version'), known))
        .where(({ eb, or }) =>
          or([
            eb('matching.name', '=', family.name),
            eb('matching.name', '>', family.first).and('matching.name', '<', family.end),
          ]),
        ),
      newest,
      { limit: page.limit },
    );
  },
);

/**
 * A page of findings, newest first, without the details of rows with a known version. Throws `invalid_cursor`. No index has several
 * filters together: such a list may read many rows.
 */
export async function listFindings(
  store: TenantStore,
  query: ListFindingsQuery,
  known: readonly string[] = [],
): Promise<Page<ListedFinding>> {
  const { category, limit: _limit, cursor: _cursor, ...filters } = query;
  const list = { organization: store.organizationId, name: 'findings', order: newest };
  const hipaa = category === 'hipaa';
  const isByIndex = [category, ...Object.values(filters)].filter(filter => filter !== undefined).length <= 1;
  const read = (statement: Query<ListedFinding>) =>
    isByIndex ? store.queryShared(statement) : store.queryOnce(statement);
  if (category === undefined || hipaa) {
    return readPage(list, query, page => read(newestFindings({ ...page, filters, hipaa, known })));
  }
  const family = familyOf(category);
  return readPage(list, query, page => read(newestOfFamily({ ...page, filters, hipaa, known, family })));
}

const findingWithId = prepared(({ id }: { readonly id: Expression<string> }) =>
  db.selectFrom('findings').select(findingColumns).where('id', '=', id),
);

/** The finding, or undefined if the organization has none with this id. */
export async function findFinding(store: TenantStore, id: string): Promise<Finding | undefined> {
  const [finding] = await store.queryShared(findingWithId({ id }));
  return finding;
}

/** Severities of the open findings on the sources of a scan. */
export async function openSeverities(session: TenantSession, scanId: string): Promise<Severity[]> {
  const rows = await session.query<{ severity: Severity }>({
    name: 'open-severities',
    // An acceptance expires by its date, even before the worker updates its status. The offset keeps the findings of each source apart: a
    // plan for any sources would read all open findings of the organization.
    text: `with scanned (id) as (
        select source_id from scan_runs where scan_id = $1
        union select source_id from scans where id = $1 and source_id is not null)
      select distinct f.severity from scanned s cross join lateral (
        select severity from findings where source_id = s.id
          and (status = 'open' or status = 'accepted' and accepted_until <= now()) offset 0) as f`,
    values: [scanId],
  });
  return rows.map(row => row.severity);
}
