import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { turnWatchOn } from '../../src/resources/sources/watches.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { dueTurn } from '../support/due-turn.ts';
import { storeFindings } from '../support/findings.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

/** More than one turn processes. */
const many = 501;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());
beforeEach(() => sql('delete from watches'));

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(text, values));

/** One turn of a worker. Returns the organization of each log line. */
async function turn(): Promise<string[]> {
  const logged: string[] = [];
  const log = (_: string, fields: object) =>
    void logged.push((fields as { organization_id: string }).organization_id);
  await dueTurn(service, log);
  return logged;
}

/** Turns on Watch for this many authorized sources, overdue by this many seconds. */
async function watched(sources: number, seconds: number): Promise<AuthorizedSource> {
  const source = await authorizedSource(service);
  await sql(
    `insert into sources (organization_id, system_id, name, kind, host, connection_mode, status, scan_authorized_at)
      select organization_id, system_id, name, kind, host, connection_mode, 'pending', now() from sources, generate_series(2, $2)
      where id = $1`,
    [source.sourceId, sources],
  );
  await source.person.transaction(transaction =>
    turnWatchOn(transaction, source.sourceId, 24, { privilegedConnections: false }),
  );
  await sql(
    `insert into watches (organization_id, source_id, every_hours, next_scan_at, turned_on_by)
      select s.organization_id, s.id, w.every_hours, w.next_scan_at, w.turned_on_by from sources s join watches w
      on w.organization_id = s.organization_id and w.source_id = $1 where s.id <> w.source_id`,
    [source.sourceId],
  );
  await becomeDue(source, seconds);
  return source;
}

const becomeDue = ({ organizationId }: AuthorizedSource, seconds: number) =>
  sql('update watches set next_scan_at = now() - make_interval(secs => $2) where organization_id = $1', [
    organizationId,
    seconds,
  ]);

async function watchesOf({ organizationId }: AuthorizedSource) {
  const { rows } = await sql(
    `select count(last_scan_id)::int as started, count(*) filter (where next_scan_at <= now())::int as due,
        min(extract(epoch from next_scan_at - now()))::int as "nextInSeconds" from watches where organization_id = $1`,
    [organizationId],
  );
  return rows[0];
}

/** An organization with an accepted finding for each title. */
async function accepted(...titles: string[]): Promise<AuthorizedSource> {
  const source = await authorizedSource(service);
  await storeFindings(
    source,
    titles.map(title => ({ title })),
  );
  return source;
}

/** Titles of findings that are still accepted. */
async function stillAccepted({ organizationId }: AuthorizedSource): Promise<string[]> {
  const { rows } = await sql(
    `select title from findings where organization_id = $1 and triage = 'accepted' order by title`,
    [organizationId],
  );
  return rows.map(({ title }) => title);
}

it('starts the Watch scans of others while one organization is at its scan limit', async () => {
  const full = await watched(many + 1, 86_400);
  await sql('update scans set sources = 10_000 where id = $1', [await queuedScan(full)]);
  const other = await watched(5, 1);
  expect(await turn(), 'one line').toEqual([full.organizationId]);
  expect(await watchesOf(other)).toMatchObject({ started: 5, due: 0 });

  const { started, due, nextInSeconds } = await watchesOf(full);
  expect({ started, due }, 'none is due any longer').toEqual({ started: 0, due: 0 });
  expect(nextInSeconds, 'they are postponed, not skipped').toBeLessThanOrEqual(300);
  expect(await turn()).toEqual([]);

  await sql(`update scans set status = 'completed', finished_at = now() where organization_id = $1`, [
    full.organizationId,
  ]);
  await sql(
    'update watches set next_scan_at = now() where source_id in (select source_id from watches where organization_id = $1 limit 2)',
    [full.organizationId],
  );
  expect(await turn()).toEqual([]);
  expect(await watchesOf(full)).toMatchObject({ started: 2, due: 0 });
});

it('starts as many Watch scans as the limit allows, and postpones the rest', async () => {
  const source = await watched(60, 1);
  await sql('update scans set sources = 9_980 where id = $1', [await queuedScan(source)]);
  expect(await turn(), 'one line').toEqual([source.organizationId]);
  expect(await watchesOf(source)).toMatchObject({ started: 20, due: 0 });
  const { rows } = await sql('select sum(sources)::int as sources from scans where organization_id = $1', [
    source.organizationId,
  ]);
  expect(rows).toEqual([{ sources: 10_000 }]);
  const { nextInSeconds } = await watchesOf(source);
  expect(nextInSeconds).toBeLessThanOrEqual(300);
});

it('starts all others while one source is locked, and its scan in a later turn', async () => {
  const [locked, other] = [await watched(2, 2), await watched(1, 1)];
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('select from sources where id = $1 for update', [locked.sourceId]);
    expect(await turn()).toEqual([]);
    await holder.query('rollback');
  });
  expect(await watchesOf(locked)).toMatchObject({ started: 1, due: 1 });
  expect(await watchesOf(other)).toMatchObject({ started: 1 });
  expect(await turn()).toEqual([]);
  expect(await watchesOf(locked)).toMatchObject({ started: 2, due: 0 });
});

it('starts the Watch scans of others while locks of one organization are not free', async () => {
  const [locked, other] = [await watched(1, 2), await watched(1, 1)];
  const failures: unknown[] = [];
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('select from watches where source_id = $1 for update', [locked.sourceId]);
    await dueTurn(service, (_, fields) => void failures.push((fields as { err: unknown }).err));
    await holder.query('rollback');
  });
  expect(failures).toMatchObject([{ code: '55P03' }]);
  expect(await watchesOf(locked)).toMatchObject({ started: 0 });
  expect(await watchesOf(other)).toMatchObject({ started: 1 });
});

describe('acceptances that fail or are slow to end', () => {
  beforeAll(() =>
    sql(`
      create function hinder() returns trigger language plpgsql as $$ begin
        if new.title = 'fails' then raise exception 'it fails'; end if;
        if new.title = 'slow' then perform pg_sleep(1.1); end if;
        return new;
      end $$;
      grant execute on function hinder to public;
      create trigger hinder before update on findings for each row
        when (old.triage is not null and new.triage is null) execute function hinder()`),
  );
  afterAll(() => sql('drop trigger hinder on findings; drop function hinder'));

  it('do not delay those of other organizations, however many they are', async () => {
    const failing = await accepted(...Array.from({ length: many }, () => 'fails'));
    const slow = await accepted('slow', 'slow', 'slow');
    const other = await accepted('good', 'good');
    await sql(`update findings set triage = 'accepted', accepted_until = now() - make_interval(days => case title
      when 'good' then 1 else 2 end)`);
    expect(await turn(), 'one line').toEqual([failing.organizationId]);
    expect(await stillAccepted(other)).toEqual([]);
    expect(await stillAccepted(slow), 'the first slow one ends the turn').toEqual(['slow', 'slow']);
    await sql('update findings set triage = null, accepted_until = null where organization_id = $1', [
      slow.organizationId,
    ]);
  });

  it('do not block those of the same organization forever', async () => {
    const mixed = await accepted('fails', 'good', 'good');
    await sql(
      `update findings set triage = 'accepted', accepted_until = now() - make_interval(days => case title
        when 'good' then 1 else 2 end) where organization_id = $1`,
      [mixed.organizationId],
    );
    // In one of two turns, a good one is processed before the one that fails.
    for (let turns = 0; turns < 60 && (await stillAccepted(mixed)).length > 1; turns += 1) await turn();
    expect(await stillAccepted(mixed)).toEqual(['fails']);
  });
});
