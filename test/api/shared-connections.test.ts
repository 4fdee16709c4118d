import { afterAll, beforeAll, expect, it } from 'vitest';
import { listFindings } from '../../src/resources/findings/findings.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it.each([
  ['one other has', 1, 5],
  ['two others have', 2, 8],
])(
  'answers one organization while %s more slow queries than connections',
  async (_who, organizations, held) => {
    const sources = await Promise.all(
      Array.from({ length: organizations }, async () => {
        const { organizationId, sourceId } = await authorizedSource(service);
        return { sourceId, key: await service.mint(organizationId) };
      }),
    );
    const other = await service.mint(await service.createOrganization());
    await asOwner(service.database.connection, async owner => {
      await owner.query('begin');
      const ids = sources.map(({ sourceId }) => sourceId);
      await owner.query({ text: 'select from sources where id = any($1) for update', values: [ids] });
      const answers = sources.flatMap(({ key, sourceId }) =>
        Array.from({ length: 30 }, () =>
          call(service.url, key, 'POST', `/api/v1/sources/${sourceId}/authorize-scan`, {}),
        ),
      );
      await asOwner(service.database.connection, watcher =>
        poll('waiting requests', async () => {
          const { rows } = await watcher.query(
            "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          );
          return rows[0].count >= held ? true : undefined;
        }),
      );
      for (let index = 0; index < 5; index++) {
        const answer = await call(service.url, other, 'POST', '/api/v1/systems', {
          name: 'Portal',
          environment: 'test',
          kind: 'site',
        });
        expect(answer.status, answer.text).toBe(201);
      }
      await owner.query('commit');
      for (const answer of await Promise.all(answers)) expect(answer.status, answer.text).toBe(200);
    });
  },
);

it.each([
  [{}, true],
  [{ severity: 'high' }, true],
  [{ category: 'tls' }, true],
  [{ severity: 'high', status: 'resolved' }, false],
  [{ category: 'hipaa', severity: 'low' }, false],
  [{ category: 'tls', status: 'open' }, false],
] as const)(
  'reads findings by %j on connections that all organizations share: %s',
  async (query, isShared) => {
    const { store } = await authorizedSource(service);
    let shared = 0;
    const counting = Object.create(store) as typeof store;
    counting.queryShared = (...given) => {
      shared += 1;
      return store.queryShared(...given);
    };
    counting.queryOnce = (...given) => store.queryOnce(...given);
    await listFindings(counting, query);
    expect(shared).toBe(isShared ? 1 : 0);
  },
);
