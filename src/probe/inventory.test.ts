import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Target } from './configuration.ts';
import { Inventory, listeningPorts, targetsHere, unknownServices } from './inventory.ts';

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

it('reports databases and websites that are no targets, by the name of the machine', () => {
  const listening = listeningPorts(table);
  expect(unknownServices(listening, [], 'db1')).toEqual([
    { kind: 'postgres', host: 'db1', via: 'listening_socket' },
    { kind: 'mysql', host: 'db1', via: 'listening_socket' },
    { kind: 'website', host: 'db1', via: 'listening_socket' },
  ]);
  const unknown = (targets: Target[]) => unknownServices(listening, targets, 'DB1').map(({ kind }) => kind);
  expect(unknown([target('postgres', '127.0.0.1'), target('postgres', 'db1:3306')])).toEqual([
    'mysql',
    'website',
  ]);
  expect(unknown([target('mysql', 'db1'), target('website', 'https://shop.example/path')])).toEqual([
    'postgres',
  ]);
  expect(unknownServices(new Set([5433, 443, 80]), [], 'db1').map(({ host }) => host)).toEqual([
    'db1:5433',
    'db1',
  ]);
  expect(unknownServices(listening, [], 'not a name')).toEqual([]);
});

it('recognizes targets on the same machine by any of its names and addresses', async () => {
  const machine = { name: 'DB1', addresses: new Set(['192.0.2.7', '2001:db8::7']) };
  const hosts = ['localhost:5433', '127.0.0.53', '[::1]:5432', 'db1:5432', '192.0.2.7', '[2001:db8::7]:3306'];
  const others = ['192.0.2.8', 'db2.invalid', 'https://192.0.2.9/'];
  const here = await targetsHere(
    [...hosts, ...others].map(host => ({ host })),
    machine,
  );
  expect(here.map(({ host }) => host)).toEqual(hosts);
});

it('reports its list once, and again when another service listens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-inventory-'));
  const file = join(folder, 'tcp');
  const listen = (...ports: readonly number[]) => {
    const lines = ports.map(port => `0: 0100007F:${port.toString(16).padStart(4, '0')} 00000000:0000 0A`);
    writeFileSync(file, lines.join('\n').toUpperCase());
  };
  const inventory = new Inventory([target('postgres', '127.0.0.1:5433')], [file]);
  const kinds = async () => (await inventory.changed())?.map(({ kind }) => kind);
  expect(await kinds()).toEqual([]);
  listen(3306);
  expect(await kinds()).toEqual(['mysql']);
  expect(await kinds()).toBe(undefined);
  // A target.
  listen(3306, 5433);
  expect(await kinds()).toBe(undefined);
  listen(3306, 5433, 80);
  expect(await kinds()).toEqual(['mysql', 'website']);
  listen();
  expect(await kinds()).toEqual([]);
  rmSync(folder, { recursive: true });
});
