import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RulesOfLog } from './rules-of-log.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rules-of-log-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
const engine = 'modsecurity3';
const rule = (id: number, action: string) => `SecRule ARGS "@rx a" "id:${id},${action}"\n`;

it('reads rules again when files are changed, added, replaced or begin to exist', async () => {
  const rules = new RulesOfLog(engine, root, { intervalMilliseconds: 0 });
  const denying = async () =>
    [...(await rules.current())].filter(([, { denies }]) => denies).map(([id]) => Number(id));
  expect(await denying()).toEqual([]);
  await write('etc/nginx/nginx.conf', 'modsecurity_rules_file /etc/rules/main.conf;\n');
  await write('etc/rules/main.conf', `${rule(1, 'deny')}Include own/*.conf\nInclude more.conf\n`);
  expect(await denying()).toEqual([1]);
  const book = await rules.current();
  expect(await rules.current()).toBe(book);
  await write('etc/rules/own/a.conf', rule(2, 'pass'));
  expect(await denying()).toEqual([1]);
  await write('etc/rules/own/a.conf', rule(2, 'deny,log'));
  expect(await denying()).toEqual([1, 2]);
  await write('etc/rules/own/b.conf', rule(3, 'deny'));
  await write('etc/rules/more.conf', rule(4, 'drop'));
  expect(await denying()).toEqual([1, 2, 3, 4]);
  await write('etc/rules/new', rule(2, 'pass'));
  await rename(join(root, 'etc/rules/new'), join(root, 'etc/rules/own/a.conf'));
  expect(await denying()).toEqual([1, 3, 4]);
});

it('keeps rules that are no longer there, and checks files at intervals', async () => {
  await write('etc/nginx/nginx.conf', 'modsecurity_rules_file /rules.conf;\n');
  await write('rules.conf', rule(1, 'deny'));
  const always = new RulesOfLog(engine, root, { intervalMilliseconds: 0 });
  const hourly = new RulesOfLog(engine, root, { intervalMilliseconds: 3_600_000 });
  const before = await hourly.current();
  expect([...(await always.current()).keys()]).toEqual(['1']);
  await rm(join(root, 'rules.conf'));
  expect([...(await always.current()).keys()]).toEqual(['1']);
  await write('rules.conf', rule(2, 'deny'));
  expect([...(await always.current()).keys()]).toEqual(['1', '2']);
  expect(await hourly.current()).toBe(before);
});
