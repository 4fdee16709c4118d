import { expect, it } from 'vitest';
import type { RefusedBy } from '../../http/connection-counts.ts';
import { ConnectionsOfAll, ReportedConnections } from './connections-of-all.ts';

const client = { client: '192.0.2.1', site: '192.0.2.0/24' };
const other = { client: '198.51.100.1', site: '198.51.100.0/24' };

/** Two processes with one supervisor. */
function processes(limits: { connections: number; connectionsPerAddress: number }) {
  const all = new ConnectionsOfAll(limits);
  return [{}, {}].map(process => {
    const reported: ReportedConnections = new ReportedConnections(report => {
      for (const command of all.count(process, report)) {
        if (command.kind === 'refuse') reported.refuse(command.id, command.limit);
      }
    });
    return { reported, end: () => all.forget(process) };
  });
}

const turn = () => new Promise(resolve => setImmediate(resolve));

it('refuses a connection beyond the limit of all processes together, until another closes', async () => {
  const [one, two] = processes({ connections: 100, connectionsPerAddress: 2 });
  const refused: RefusedBy[] = [];
  const open = (of: typeof one, networks = client) =>
    of!.reported.opened(networks, limit => refused.push(limit));
  const close = open(one);
  open(two);
  await turn();
  expect(refused).toEqual([]);
  open(one);
  open(two, other);
  await turn();
  expect(refused).toEqual(['address']);
  close();
  open(two);
  await turn();
  expect(refused).toEqual(['address']);
});

it('counts proxies in total only, and forgets a process that ended', async () => {
  const [one, two] = processes({ connections: 2, connectionsPerAddress: 1 });
  const refused: RefusedBy[] = [];
  const open = (of: typeof one) => of!.reported.opened(undefined, limit => refused.push(limit));
  open(one);
  open(one);
  await turn();
  open(two);
  await turn();
  expect(refused).toEqual(['all']);
  one!.end();
  open(two);
  open(two);
  await turn();
  expect(refused).toEqual(['all']);
});

it('does not count a connection that opened and closed in one turn', async () => {
  const [one] = processes({ connections: 1, connectionsPerAddress: 1 });
  const refused: RefusedBy[] = [];
  one!.reported.opened(client, limit => refused.push(limit))();
  await turn();
  one!.reported.opened(client, limit => refused.push(limit));
  await turn();
  expect(refused).toEqual([]);
});

it('ignores a report that arrives after its process has ended', async () => {
  const [one, two] = processes({ connections: 1, connectionsPerAddress: 1 });
  const refused: RefusedBy[] = [];
  one!.reported.opened(client, limit => refused.push(limit));
  one!.end();
  await turn();
  two!.reported.opened(client, limit => refused.push(limit));
  await turn();
  expect(refused).toEqual([]);
});
