import type { Expression } from 'kysely';
import type { Finding, FindingStatus, ListFindingsQuery } from '../../contract/findings.ts';
import type { Severity } from '../../contract/severity.ts';
import type { Query } from '../../database/connection.ts';
import { anyOf, now, rowVersion, smallest } from '../../database/expressions.ts';
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

/** A row of a list, without its details. */
export interface FindingPlace {
  readonly id: string;
  readonly created_at: string;
  readonly version: string;
}

const places = ['id', 'created_at', rowVersion.as('version')] as const;

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
}

const newestFindings = prepared(({ filters, hipaa, ...page }: ListPlaces) =>
  pageOf(
    db
      .selectFrom('findings')
      .select(places)
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
  ({ family, filters, ...page }: ListPlaces & { readonly family: FamilyPlaces }) => {
    const ofCategory = (category: Expression<string>) =>
      pageOf(
        db
          .selectFrom('findings')
          .select(places)
          .where(({ and }) => and({ ...filters, category })),
        newest,
        page,
      );
    return pageOf(
      db
        .withRecursive('matching', cte =>
          cte
            .selectFrom('findings')
            .select(({ ref, fn }) => fn.coalesce(smallest(ref('category')), family.end).as('category'))
            .where('category', '>=', family.name)
            .unionAll(
              cte
                .selectFrom('matching')
                .select(({ selectFrom }) =>
                  selectFrom('findings')
                    .select(({ ref, fn }) =>
                      fn.coalesce(smallest(ref('category')), family.end).as('category'),
                    )
                    .whereRef('findings.category', '>', 'matching.category')
                    .as('category'),
                )
                .where('matching.category', '<', family.end),
            ),
        )
        .selectFrom('matching')
        .crossJoinLateral(({ ref }) => ofCategory(ref('matching.category')).as('newest'))
        .selectAll('newest')
        .where(({ eb, or }) =>
          or([
            eb('matching.category', '=', family.name),
            eb('matching.category', '>', family.first).and('matching.category', '<', family.end),
          ]),
        ),
      newest,
      { limit: page.limit },
    );
  },
);

/** The rows of a page, newest first. Throws `invalid_cursor`. No index has several filters together: such a list may read many rows. */
export async function listFindingPlaces(
  store: TenantStore,
  query: ListFindingsQuery,
): Promise<Page<FindingPlace>> {
  const { category, limit: _limit, cursor: _cursor, ...filters } = query;
  const list = { organization: store.organizationId, name: 'findings', order: newest };
  const hipaa = category === 'hipaa';
  const isByIndex = [category, ...Object.values(filters)].filter(filter => filter !== undefined).length <= 1;
  const read = (statement: Query<FindingPlace>) =>
    isByIndex ? store.queryShared(statement) : store.queryOnce(statement);
  if (category === undefined || hipaa) {
    return readPage(list, query, page => read(newestFindings({ ...page, filters, hipaa })));
  }
  const family = familyOf(category);
  return readPage(list, query, page => read(newestOfFamily({ ...page, filters, hipaa, family })));
}

const withIds = prepared(({ ids }: { readonly ids: Expression<readonly string[]> }) =>
  db
    .selectFrom('findings')
    .select([...findingColumns, rowVersion.as('version')])
    .where(({ eb, fn }) => eb('id', '=', fn.any(ids))),
);

/** The findings with these ids, and the versions of their rows, in any order. */
export function findingsWithIds(
  store: TenantStore,
  ids: readonly string[],
): Promise<(Finding & { readonly version: string })[]> {
  return store.queryShared(withIds({ ids }));
}

const findingWithId = prepared(({ id }: { readonly id: Expression<string> }) =>
  db.selectFrom('findings').select(findingColumns).where('id', '=', id),
);

/** The finding, or undefined if the organization has none with this id. */
export async function findFinding(store: TenantStore, id: string): Promise<Finding | undefined> {
  const [finding] = await store.queryShared(findingWithId({ id }));
  return finding;
}

/** Severities of the open findings on these sources. */
export async function openSeverities(
  session: TenantSession,
  sourceIds: readonly string[],
): Promise<Severity[]> {
  const rows = await session.query(
    db
      .selectFrom('findings')
      .select('severity')
      .distinct()
      .where('source_id', '=', anyOf(sourceIds))
      // An acceptance expires by its date, even before the worker updates its status.
      .where(({ eb, or }) =>
        or([eb('status', '=', 'open'), eb('status', '=', 'accepted').and('accepted_until', '<=', now)]),
      ),
  );
  return rows.map(row => row.severity);
}
