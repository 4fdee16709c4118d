import { expect, it } from 'vitest';
import { maxTables, readBuckets, readRights, readSchemas, readTables } from './read-answers.ts';

const many = <T>(count: number, entry: T): T[] => Array.from({ length: count }, () => entry);

const bucket = { name: 'b', public: true };
const table = { schema: 'public', name: 't', rls_enabled: false };
const grant = { grantee: 'postgres', privilege_type: 'SELECT' };

it('rejects a list that is longer than the limit', () => {
  expect(readBuckets(many(2_000, bucket))).toHaveLength(2_000);
  expect(readBuckets(many(2_001, bucket))).toBe(undefined);
  expect(readRights([table], [], many(2_001, {}))).toBe(undefined);
  const privileges = [...many(2_000, grant), { ...grant, grantee: 'anon' }];
  expect(readRights([table], [{ ...table, privileges }], [])).toBe(undefined);
});

it('reports that tables are left out', () => {
  const tables = (...names: string[]) =>
    readTables({ swagger: '2.0', paths: Object.fromEntries(names.map(name => [`/${name}`, { get: {} }])) });
  const numbered = Array.from({ length: maxTables + 1 }, (_, index) => `t${index}`);
  expect(tables('', 'a', 'rpc/f')).toEqual({
    list: [{ schema: null, name: 'a', columns: [] }],
    truncated: false,
  });
  expect(tables(...numbered.slice(1))).toMatchObject({ truncated: false });
  expect(tables(...numbered)).toMatchObject({ truncated: true });
  expect(tables('a', 'patients/2024')).toEqual({
    list: [{ schema: null, name: 'a', columns: [] }],
    truncated: true,
  });
});

it('reads every role of a policy', () => {
  const roles = [...many(2_000, 'postgres'), 'anon'];
  const policy = {
    schema: 'public',
    table: 't',
    roles,
    action: 'PERMISSIVE',
    command: 'ALL',
    definition: 'true',
  };
  expect(readRights([table], [], [policy])?.[0]?.policies).toHaveLength(1);
});

it('reads the schemas of every version, and nothing else', () => {
  const error = (message: string, hint: string | null = null) =>
    readSchemas({ code: 'PGRST106', details: null, hint, message });
  expect(error('The schema must be one of the following: public, api')).toEqual(['public', 'api']);
  expect(error('Invalid schema: x', 'Only the following schemas are exposed: api')).toEqual(['api']);
  expect(error('Invalid schema: x')).toBe(undefined);
  expect(readSchemas({ message: 'The schema must be one of the following: public' })).toBe(undefined);
});
