import { expect, it } from 'vitest';
import { Hosts, type SessionAttributes } from './hosts.ts';

const isPrimary = { isStandby: false, isReadOnly: false };

/** Two connections, one after the other. Returns whether the second had the first one dropped. */
function dropsFirst(wanted: SessionAttributes, second: { server: string; isSilent?: boolean }): boolean {
  const hosts = new Hosts([{ host: 'one' }, { host: 'other' }], wanted);
  const [one, other] = hosts.tries();
  let isDropped = false;
  one!.opened({ drop: () => (isDropped = true) }, { ...isPrimary, server: 'first' }, new Set());
  const silent = new Set(second.isSilent ? [one!.host] : []);
  other!.opened({ drop() {} }, { ...isPrimary, server: second.server }, silent);
  return isDropped;
}

it('drops connections to another server than the primary', () => {
  expect(dropsFirst('read-write', { server: 'second' })).toBe(true);
  expect(dropsFirst('primary', { server: 'second' })).toBe(true);
});

it('drops none to the same server through another proxy, unless the former one does not answer', () => {
  expect(dropsFirst('read-write', { server: 'first' })).toBe(false);
  expect(dropsFirst('read-write', { server: 'first', isSilent: true })).toBe(true);
});

it('drops none if any server will do', () => {
  expect(dropsFirst('any', { server: 'second', isSilent: true })).toBe(false);
});

it('begins with the server that was used last', () => {
  const hosts = new Hosts([{ host: 'one' }, { host: 'other' }], 'read-write');
  hosts.tries()[1]!.opened({ drop() {} }, { ...isPrimary, server: 'second' }, new Set());
  expect(hosts.tries().map(({ host }) => host.host)).toEqual(['other', 'one']);
});
