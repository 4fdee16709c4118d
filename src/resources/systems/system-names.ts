import type { ListSystemNames, SystemNames } from '../../contract/dashboard/systems.ts';
import { contains, lowerCase, when } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantStore } from '../../database/tenant-store.ts';

/** People type a part of the name to find others. */
const mostListed = 50;

/** The first systems by name whose name contains the search, after the one with the id, if it is not among them. */
export async function listSystemNames(
  store: TenantStore,
  { search, id }: ListSystemNames,
): Promise<SystemNames['systems']> {
  const systems = db.selectFrom('systems').select(['id', 'name']);
  return store.read(async session => {
    const [found, chosen] = await Promise.all([
      session.query(
        systems
          .where(({ and, ref }) => and(when(search, part => contains(lowerCase(ref('name')), part))))
          .orderBy(({ ref }) => lowerCase(ref('name')))
          .orderBy('id')
          .limit(mostListed),
      ),
      id === undefined ? [] : session.query(systems.where('id', '=', id)),
    ]);
    return [...chosen.filter(one => !found.some(each => each.id === one.id)), ...found];
  });
}
