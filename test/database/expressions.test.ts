import type { Expression } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import {
  anyOf,
  contains,
  countOfRows,
  countOfRowsWhere,
  dayAfter,
  dayOf,
  daysLater,
  distinctCount,
  isAfter,
  isOneOf,
  largest,
  lowerCase,
  moment,
  now,
  smallest,
  startOfDay,
  sumOf,
  when,
} from '../../src/database/expressions.ts';
import { migrate } from '../../src/database/migrate.ts';
import { prepared } from '../../src/database/prepared.ts';
import { db } from '../../src/database/query-builder.ts';
import { sessionOn, type TenantSession } from '../../src/database/tenant-store.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let pool: pg.Pool;
let session: TenantSession;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
  pool = openPool(database.connection, 'test', 1);
  session = sessionOn(pool);
  await session.query({ text: "insert into organizations (name) values ('Ä'), ('b'), ('c')" });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const organizations = db.selectFrom('organizations');

describe('an expression has its declared type', () => {
  it('for a count', async () => {
    const [row] = await session.query(
      organizations.select(({ eb }) => [
        countOfRows.as('all'),
        countOfRowsWhere(eb('name', '>', 'b')).as('some'),
      ]),
    );
    expect(row).toEqual({ all: 3, some: 2 });
  });

  it('for a minimum, or none', async () => {
    const least = organizations.select(({ ref }) => smallest(ref('name')).as('name'));
    expect(await session.query(least.where('name', '<', 'd'))).toEqual([{ name: 'b' }]);
    expect(await session.query(least.where('name', '=', 'd'))).toEqual([{ name: null }]);
  });

  it('for a maximum, a sum and different values', async () => {
    const [row] = await session.query(
      organizations.select(({ ref }) => [
        largest(ref('name')).as('largest'),
        sumOf(ref('event_retention_days')).as('days'),
        distinctCount(ref('event_retention_days')).as('different'),
      ]),
    );
    expect(row).toEqual({ largest: 'Ä', days: 270, different: 1 });
  });

  it('for days, times of days, and positions', async () => {
    const [row] = await session.query(
      organizations
        .limit(1)
        .select(({ val, lit }) => [
          moment(val('2026-11-21')).as('moment'),
          daysLater(moment(val('2026-11-21')), -2).as('earlier'),
          sumOf(lit(1)).as('one'),
          isAfter([val(1), val('b')], [1, 'a']).as('after'),
          isAfter([val(1), val('a')], [1, 'a']).as('same'),
        ])
        .groupBy('id'),
    );
    expect(row).toEqual({
      moment: '2026-11-21T00:00:00.000+00:00',
      earlier: '2026-11-19T00:00:00.000+00:00',
      one: 1,
      after: true,
      same: false,
    });
    const isDay = (day: string) =>
      session.query(
        organizations.select('name').where(({ eb, val }) => eb(val('2026-11-21'), '=', dayOf(day) as never)),
      );
    expect(await isDay('2026-11-21T23:00:00Z')).toHaveLength(3);
  });

  it('for a time', async () => {
    const [row] = await session.query(
      organizations.select(({ eb }) => [
        eb(now, '>=', startOfDay('2020-02-29')).as('after'),
        eb(now, '<', dayAfter('2020-02-29')).as('before'),
        eb(startOfDay('2020-03-01'), '=', dayAfter('2020-02-29')).as('next'),
      ]),
    );
    expect(row).toEqual({ after: true, before: false, next: true });
    const [time] = await session.query(
      db.updateTable('organizations').set({ created_at: now }).returning('created_at'),
    );
    expect(time!.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  });

  it('for a condition', async () => {
    const [row] = await session.query(
      organizations.select(({ val }) => [
        isOneOf(val('b'), 'a,b').as('one'),
        isOneOf(val('b'), 'a').as('none'),
        contains(val('abc'), 'B').as('part'),
        contains(val('abc'), '_').as('wildcard'),
        lowerCase(val('Ab')).as('lower'),
      ]),
    );
    expect(row).toEqual({ one: true, none: false, part: true, wildcard: false, lower: 'ab' });
  });

  it('for one of a list', async () => {
    const names = await session.query(
      organizations.select('name').where('name', '=', anyOf(['b', 'c', 'd'])),
    );
    expect(names).toHaveLength(2);
    expect(await session.query(organizations.select('name').where('name', '=', anyOf([])))).toEqual([]);
  });
});

describe('a prepared statement', () => {
  let built = 0;
  const find = prepared(
    (places: {
      readonly filters: { readonly name?: Expression<string> | undefined };
      readonly limit: Expression<number>;
      readonly backwards: boolean;
    }) => {
      built++;
      return organizations
        .select('name')
        .where(({ and, eb }) => and(when(places.filters.name, name => eb('name', '>=', name))))
        .orderBy('name', places.backwards ? 'desc' : 'asc')
        .limit(places.limit);
    },
  );

  it('is built once per shape of its parameters, for all values', async () => {
    const one = find({ filters: { name: 'b' }, limit: 1, backwards: false });
    const other = find({ filters: { name: 'c' }, limit: 2, backwards: false });
    expect(built).toBe(1);
    expect(other.name).toBe(one.name);
    expect([one.values, other.values]).toEqual([
      ['b', 1],
      ['c', 2],
    ]);
    expect(await session.query(one)).toEqual([{ name: 'b' }]);
  });

  it('is built again for other keys and flags', async () => {
    built = 0;
    const statements = [
      find({ filters: {}, limit: 1, backwards: false }),
      find({ filters: { name: undefined }, limit: 1, backwards: true }),
    ];
    expect(built).toBe(2);
    expect(statements[0]!.name).not.toBe(statements[1]!.name);
    const rows = await Promise.all(statements.map(statement => session.query(statement)));
    expect(rows).toEqual([[{ name: 'b' }], [{ name: 'Ä' }]]);
  });
});
