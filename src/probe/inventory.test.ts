import { expect, it } from 'vitest';
import type { Target } from './configuration.ts';
import { listeningPorts, unknownDatabases } from './inventory.ts';

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1538 00000000:0000 0A 00000000:00000000 00:00000000 00000000   101        0 1 1 0 100 0 0 10 0
   1: 00000000:0CEA 00000000:0000 0A 00000000:00000000 00:00000000 00000000   102        0 2 1 0 100 0 0 10 0
   2: 0100007F:1539 0100007F:9999 01 00000000:00000000 00:00000000 00000000   103        0 3 1 0 100 0 0 10 0
  sl  local_address                         remote_address                        st
   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000`;
const target = (kind: string, host: string) => ({ kind, host }) as unknown as Target;

it('reads the ports that are listened on', () => {
  expect(listeningPorts(table)).toEqual(new Set([5432, 3306, 80]));
  expect(listeningPorts('')).toEqual(new Set());
});

it('reports databases that are no targets, by the name of the machine', () => {
  const listening = listeningPorts(table);
  expect(unknownDatabases(listening, [], 'db1')).toEqual([
    { kind: 'postgres', host: 'db1', via: 'listening_socket' },
    { kind: 'mysql', host: 'db1', via: 'listening_socket' },
  ]);
  const targets = [target('postgres', '127.0.0.1'), target('postgres', 'db1:3306'), target('mysql', 'other')];
  expect(unknownDatabases(listening, targets, 'db1').map(({ kind }) => kind)).toEqual(['mysql']);
  expect(
    unknownDatabases(listening, [target('mysql', 'db1:3306'), target('postgres', 'localhost:5432')], 'DB1'),
  ).toEqual([]);
  expect(unknownDatabases(new Set([5433]), [], 'db1')).toEqual([
    { kind: 'postgres', host: 'db1:5433', via: 'listening_socket' },
  ]);
  expect(unknownDatabases(listening, [], 'not a name')).toEqual([]);
});
