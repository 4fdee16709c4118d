/** Statements with one fault each, and the expected message for each. */

/** As text: expressions of a session. */
export const plantedTexts: readonly (readonly [fault: string, statement: string, said: RegExp])[] = [
  [
    'a table that does not exist',
    `query<{ id: string }>({ text: 'select id from system' })`,
    /relation "system" does not exist/,
  ],
  [
    'a column that does not exist',
    `query<{ title: string }>({ text: 'select title from systems' })`,
    /column "title" does not exist/,
  ],
  [
    'a column with another name',
    `query<{ title: string }>({ text: 'select name from systems' })`,
    /does not return title/,
  ],
  [
    'a column that is not declared',
    `query<{ id: string }>({ text: 'select id, name from systems' })`,
    /returns name, which its row/,
  ],
  [
    'two columns with the same name',
    `query<{ id: string }>({ text: 'select y.id, s.id from systems y, sources s' })`,
    /returns id twice/,
  ],
  [
    'another type',
    `query<{ id: number }>({ text: 'select id from systems' })`,
    /id is uuid of systems\.id, but is declared as number/,
  ],
  [
    'another type of a computed column',
    `query<{ n: string }>({ text: 'select count(*)::int as n from systems' })`,
    /n is int4, but is declared as string/,
  ],
  [
    'a time as a date',
    `query<{ at: Date }>({ text: 'select created_at as at from systems' })`,
    /at is timestamptz/,
  ],
  [
    'incomplete words',
    `query<{ status: 'draft' }>({ text: 'select status from sources' })`,
    /status is text of sources\.status/,
  ],
  [
    'unlimited words',
    `query<{ w: 'a' | 'b' }>({ text: "select concat('a', $1::text) as w", values: ['x'] })`,
    /w is text/,
  ],
  [
    'other words',
    `query<{ w: 'a' }>({ text: "select case when true then 'a' else 'b' end as w" })`,
    /w is text/,
  ],
  ['any', `query<{ id: any }>({ text: 'select id from systems' })`, /id is uuid/],
  [
    'a column that may be null',
    `query<{ external_id: string }>({ text: 'select external_id from systems' })`,
    /external_id may be null/,
  ],
  [
    'an outer join',
    `query<{ name: string }>({ text: 'select y.name from sources s left join systems y on y.id = s.system_id' })`,
    /name may be null/,
  ],
  [
    'the other side of an outer join',
    `query<{ name: string }>({ text: 'select s.name from sources s right join systems y on y.id = s.system_id' })`,
    /name may be null/,
  ],
  [
    'an aggregate without rows',
    `query<{ last: string }>({ text: 'select max(created_at) as last from systems' })`,
    /last may be null/,
  ],
  [
    'a query without rows',
    `query<{ name: string }>({ text: 'select (select name from systems limit 1) as name' })`,
    /name may be null/,
  ],
  [
    'a case without an else',
    `query<{ w: string }>({ text: "select case when approved then 'a' end as w from systems" })`,
    /w may be null/,
  ],
  [
    'a field of JSON that may be null',
    `query<{ y: { e: string } }>({ text: "select json_build_object('e', external_id) as y from systems" })`,
    /y\.e may be null/,
  ],
  [
    'another field of JSON',
    `query<{ y: { f: string } }>({ text: "select json_build_object('e', name) as y from systems" })`,
    /y has no f/,
  ],
  [
    'a time in JSON',
    `query<{ y: { at: string } }>({ text: "select json_build_object('at', created_at) as y from systems" })`,
    /y\.at is a time in JSON/,
  ],
  [
    'too few values',
    `query({ text: 'update systems set name = $1 where id = $2', values: ['a'] })`,
    /has 2 parameters and 1 values/,
  ],
  [
    'too many values',
    `query({ text: 'update systems set name = $1', values: ['a', 'b'] })`,
    /has 1 parameters and 2 values/,
  ],
  [
    'a value of another type',
    `query({ text: 'update systems set name = $1', values: [1] })`,
    /\$1 is text, and is given 1/,
  ],
  [
    'a single value for a list',
    `query({ text: 'delete from evidence where id = any($1)', values: ['a'] })`,
    /\$1 is _uuid, and is given "a"/,
  ],
  [
    'an object for JSON',
    `query({ text: 'update finding_views set filters = $1', values: [{ a: 1 }] })`,
    /\$1 is jsonb/,
  ],
  [
    'null for a not-null column',
    `query({ text: 'update systems set name = $1', values: [null as string | null] })`,
    /may give null to systems\.name/,
  ],
  [
    'null for a column of a new row',
    `query({ text: 'insert into systems (name, environment, kind) values ($1, $2, $3)', values: ['a', 'test', null as 'site' | null] })`,
    /may give null to systems\.kind/,
  ],
  [
    'an unknown number of values',
    `query({ text: 'select $1::text', values: ['a'].concat('b') })`,
    /cannot determine how many values/,
  ],
  ['a generated text', `query({ text: 'select ' + String(Date.now()) })`, /cannot determine what text/],
  [
    'a text from a caller that does not exist',
    `query({ text: given })`,
    /cannot determine what text given is/,
  ],
  ['a statement that is not declared as one', `query(undeclared)`, /is not declared as a statement/],
  [
    'rows of a built statement without rows',
    `query(db.updateTable('systems').set({ name: 'a' })).then(rows => rows[0]?.numUpdatedRows)`,
    /returns no rows, but its rows are read/,
  ],
  ['a syntax error', `query({ text: 'select from where' })`, /syntax error/],
];

/** As text, without a fault: none must be reported. */
export const soundTexts: readonly string[] = [
  `query<{ id: string; external_id: string | null; environment: string }>({ text: 'select id, external_id, environment from systems' })`,
  `query<{ external_id: string }>({ text: 'select external_id from systems where external_id is not null' })`,
  `query<{ name: string | null }>({ text: 'select y.name from sources s left join systems y on y.id = s.system_id' })`,
  `query<{ last: string | null; n: number }>({ text: 'select max(created_at) as last, count(*) as n from systems where id = any($1)', values: [['a']] })`,
  `query<{ last: string }>({ text: 'select max(created_at) as last from systems group by kind' })`,
  `query<{ y: { name: string } | null }>({ text: "select case when y.id is not null then json_build_object('name', y.name) end as y from sources s left join systems y on y.id = s.system_id" })`,
  `query<{ w: 'a' | 'b' }>({ text: "select case when approved then 'a' else 'b' end as w from systems" })`,
  `query<{ external_id: string }>({ text: "update systems set external_id = $1 returning external_id", values: ['a'] })`,
];

/** Built: TypeScript must refuse each. */
export const plantedBuilds: readonly (readonly [fault: string, statement: string])[] = [
  ['a table that does not exist', `query(db.selectFrom('system').select('id'))`],
  ['a column that does not exist', `query(db.selectFrom('systems').select('title'))`],
  ['a column of another table', `query(db.selectFrom('systems').select('id').where('host', '=', 'a'))`],
  ['another type', `query(db.selectFrom('systems').select('id')).then((rows): number => rows[0]!.id)`],
  ['another row', `query<{ id: number }>(db.selectFrom('systems').select('id'))`],
  [
    'a time as a date',
    `query(db.selectFrom('systems').select('created_at')).then((rows): Date => rows[0]!.created_at)`,
  ],
  [
    'incomplete words',
    `query(db.selectFrom('sources').select('status')).then((rows): 'draft' => rows[0]!.status)`,
  ],
  [
    'a column that may be null',
    `query(db.selectFrom('systems').select('external_id')).then((rows): string => rows[0]!.external_id)`,
  ],
  [
    'an outer join',
    `query(db.selectFrom('sources as s').leftJoin('systems as y', 'y.id', 's.system_id').select('y.name')).then((rows): string => rows[0]!.name)`,
  ],
  ['a value of another type', `query(db.selectFrom('systems').select('id').where('id', '=', 1))`],
  ['an unknown word', `query(db.updateTable('sources').set({ status: 'gone' }))`],
  ['null for a not-null column', `query(db.updateTable('systems').set({ name: null }))`],
  ['a new row without a column', `query(db.insertInto('systems').values({ name: 'a', kind: 'site' }))`],
  ['a computed column', `query(db.updateTable('findings').set({ status: 'open' }))`],
  ['an object for JSON', `query(db.updateTable('finding_views').set({ filters: {} }))`],
  ['a missing value', `query(byId({}))`],
  ['a prepared value of another type', `query(byId({ id: 1 }))`],
];
