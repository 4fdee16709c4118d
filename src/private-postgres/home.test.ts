import {
  chown,
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { asOwner } from '../../test/support/postgres.ts';
import { AttachedProcess } from '../../test/support/private-postgres/attached-process.ts';
import {
  DataFolders,
  isRoot,
  NAMELESS,
  ORDINARY,
  othersCanRun,
  serverPid,
} from '../../test/support/private-postgres/data-folders.ts';
import { locatePackage } from './binaries.ts';
import { openPrivatePostgres } from './open.ts';

const folders = new DataFolders();
const canBeOthers = await othersCanRun();
afterAll(() => folders.remove());

test('a data folder whose path is too long for a socket has its socket in the temporary folder', async () => {
  const data = join(await folders.make(), 'x'.repeat(60), 'y'.repeat(60));
  const postgres = await openPrivatePostgres({ directory: data });
  expect(postgres.connection.host).not.toContain('yyy');
  expect((await stat(postgres.connection.host)).mode & 0o777).toBe(0o700);
  await postgres.close();
  await expect(stat(postgres.connection.host)).rejects.toThrow('ENOENT');
});

test.runIf(isRoot)(
  'as root, the server runs as a dedicated user, which owns the cluster and nothing else',
  async () => {
    const data = await folders.make();
    await mkdir(data, { mode: 0o711 });
    await writeFile(join(data, 'master.key'), 'secret', { mode: 0o600 });
    const postgres = await openPrivatePostgres({ directory: data });
    expect((await stat(`/proc/${await serverPid(data)}`)).uid).toBe(64_701);
    await postgres.close();
    const owners = await Promise.all(
      ['', 'postgres', 'postgres/password', 'postgres/cluster-18'].map(name =>
        ownerAndMode(join(data, name)),
      ),
    );
    expect(owners).toEqual(['0 711', '0 711', '0 600', '64701 700']);
    expect(await ownerAndMode(join(data, 'master.key'))).toBe('0 600');
  },
);

test.runIf(isRoot)('as root, other users cannot access any file of the database', async () => {
  const data = await folders.make();
  const postgres = await openPrivatePostgres({ directory: data });
  const home = join(data, 'postgres');
  expect(await ownerAndMode(postgres.connection.host)).toBe('64701 700');
  expect(await ownerAndMode(join(home, 'cluster-18'))).toBe('64701 700');
  expect(await ownerAndMode(join(home, 'server.log'))).toBe('0 600');
  await postgres.close();
  const inside = await readdir(join(home, 'cluster-18'), { recursive: true });
  for (const name of inside) {
    expect(await ownerAndMode(join(home, 'cluster-18', name)), name).toMatch(/^64701 [67]00$/);
  }
});

test.runIf(isRoot)(
  'as root, a cluster of user 65534 changes its owner once its server has stopped',
  async () => {
    const nobody = { uid: 65_534, gid: 65_534 };
    const data = await folders.make();
    const events: string[] = [];
    const log = (event: string) => events.push(event);
    const before = await openPrivatePostgres({ directory: data, serverUser: nobody });
    await asOwner(before.connection, client => client.query('create table kept as select 42 as answer'));
    const pid = await serverPid(data);
    // A Parapet of this version that starts beside one with a server of user 65534 uses the same server.
    const beside = await openPrivatePostgres({ directory: data, log });
    expect(await serverPid(data)).toBe(pid);
    expect(events).toContain('postgres.not_handed_over');
    await before.close();
    await beside.close();
    const after = await openPrivatePostgres({ directory: data, log });
    expect(events).toContain('postgres.handed_over');
    expect((await stat(`/proc/${await serverPid(data)}`)).uid).toBe(64_701);
    const { rows } = await asOwner(after.connection, client => client.query('select answer from kept'));
    expect(rows).toEqual([{ answer: 42 }]);
    await after.close();
    const inside = await readdir(join(data, 'postgres/cluster-18'), { recursive: true });
    for (const name of inside) {
      expect(await ownerAndMode(join(data, 'postgres/cluster-18', name)), name).toMatch(/^64701 /);
    }
  },
);

test.runIf(isRoot)(
  'as root, an interrupted change of owner is completed without following links',
  async () => {
    const nobody = { uid: 65_534, gid: 65_534 };
    const data = await folders.make();
    await (await openPrivatePostgres({ directory: data, serverUser: nobody })).close();
    const cluster = join(data, 'postgres/cluster-18');
    const foreign = join(data, 'foreign');
    await writeFile(foreign, '');
    await symlink(foreign, join(cluster, 'base', 'planted'));
    await chown(cluster, 0, 0);
    await (await openPrivatePostgres({ directory: data })).close();
    expect(await ownerAndMode(cluster)).toBe('64701 700');
    expect((await stat(foreign)).uid).toBe(0);
  },
);

test.runIf(isRoot)('as root, the user of the server is configurable', async () => {
  const data = await folders.make();
  const postgres = await openPrivatePostgres({ directory: data, serverUser: ORDINARY });
  expect((await stat(`/proc/${await serverPid(data)}`)).uid).toBe(ORDINARY.uid);
  await postgres.close();
});

test.runIf(isRoot)(
  'as root in a folder that others cannot enter, the database is below /var/lib/parapet',
  async () => {
    const data = await folders.make(0o700);
    const events: string[] = [];
    const log = (event: string) => events.push(event);
    await (await openPrivatePostgres({ directory: data, log })).close();
    await (await openPrivatePostgres({ directory: data, log })).close();
    expect(events.filter(event => event === 'postgres.placed_elsewhere')).toHaveLength(1);
    expect(await readlink(join(data, 'postgres'))).toMatch(/^\/var\/lib\/parapet\/[0-9a-f]{12}\/postgres$/);
    expect(await ownerAndMode(dirname(data))).toBe('0 700');
    await expectMoveAndCopy(data);
  },
);

/** A moved data folder keeps its database; a copy must not use the original's. */
async function expectMoveAndCopy(data: string): Promise<void> {
  const moved = `${data}-moved`;
  await rename(data, moved);
  await (await openPrivatePostgres({ directory: moved })).close();
  await cp(moved, data, { recursive: true, verbatimSymlinks: true });
  await expect(openPrivatePostgres({ directory: data })).rejects.toThrow(
    /links to the database of .*data-moved/,
  );
  await rm(moved, { recursive: true });
  await (await openPrivatePostgres({ directory: data })).close();
}

test.runIf(canBeOthers)('as root, the data folder of an ordinary user keeps its owner', async () => {
  const data = await folders.make(0o700, ORDINARY);
  await mkdir(data, { mode: 0o700 });
  await chown(data, ORDINARY.uid, ORDINARY.gid);
  const byRoot = new AttachedProcess(data);
  await byRoot.reported('opened');
  expect(byRoot.logged('root_given_up')).toBe(true);
  await byRoot.close();
  for (const name of await readdir(join(data, 'postgres'), { recursive: true })) {
    expect((await lstat(join(data, 'postgres', name))).uid, name).toBe(ORDINARY.uid);
  }
  const theirs = new AttachedProcess(data, ORDINARY);
  await theirs.reported('opened');
  await theirs.close();
});

/**
 * Entries of the home that its owner has replaced with links. The entries listed together do not prevent
 * opening.
 */
const links = [[''], ['password'], ['bin-18'], ['cluster-18'], ['server.log', 'server.log.1', 'data-folder']];

test.runIf(canBeOthers).each(links)(
  'as root, nothing is read, written or given away through links of the owner of the data folder: %s',
  async (...names) => {
    const data = await folders.make();
    const home = join(data, 'postgres');
    const [file, folder] = [join(dirname(data), 'of-root'), join(dirname(data), 'folder-of-root')];
    await mkdir(names.includes('') ? data : home, { recursive: true });
    await mkdir(folder, { mode: 0o700 });
    await writeFile(file, 'of root', { mode: 0o600 });
    await writeFile(join(folder, 'inside'), 'of root', { mode: 0o600 });
    for (const name of names) {
      await symlink(/^(bin|cluster|$)/.test(name) ? folder : file, join(home, await realNameOf(name)));
    }
    for (const path of [data, home]) await lchown(path, ORDINARY.uid, ORDINARY.gid);
    const byRoot = new AttachedProcess(data);
    await poll('it is open or refused', () =>
      byRoot.reports.some(({ kind }) => kind === 'opened' || kind === 'failed'),
    );
    if (byRoot.reports.some(({ kind }) => kind === 'opened')) await byRoot.close();
    expect(await ownerAndMode(file)).toBe('0 600');
    expect(await ownerAndMode(folder)).toBe('0 700');
    expect(await ownerAndMode(join(folder, 'inside'))).toBe('0 600');
    expect(await readdir(folder)).toEqual(['inside']);
    expect(await readFile(file, 'utf8')).toBe('of root');
  },
);

test.runIf(canBeOthers)('a process that gave up root cannot regain it', async () => {
  const data = await folders.make(0o755, ORDINARY);
  await mkdir(data);
  // The folder's group is root, as after `chown owner folder`.
  await chown(data, ORDINARY.uid, 0);
  const byRoot = new AttachedProcess(data);
  await byRoot.reported('opened');
  const status = await readFile(`/proc/${byRoot.child.pid}/status`, 'utf8');
  expect(/^Uid:.*/m.exec(status)?.[0]).toBe('Uid:\t1\t1\t1\t1');
  expect(/^Gid:.*/m.exec(status)?.[0]).toBe('Gid:\t1\t1\t1\t1');
  expect(/^Groups:.*/m.exec(status)?.[0].trim()).toBe('Groups:\t1');
  expect(/^CapEff:.*/m.exec(status)?.[0]).toBe('CapEff:\t0000000000000000');
  await byRoot.close();
});

test.runIf(isRoot)('root refuses to work in the folder of another user', async () => {
  const data = await folders.make();
  await mkdir(join(data, 'postgres'), { recursive: true });
  await chown(join(data, 'postgres'), ORDINARY.uid, ORDINARY.gid);
  await expect(openPrivatePostgres({ directory: data })).rejects.toThrow(/belongs to uid 1, root does not/);
  await chown(data, ORDINARY.uid, ORDINARY.gid);
  await expect(openPrivatePostgres({ directory: data })).rejects.toThrow(
    /run Parapet as that user \(sudo -u/,
  );
});

test.runIf(canBeOthers)('an ordinary user needs nothing but a folder', async () => {
  const data = await folders.make(0o700, ORDINARY);
  const attached = new AttachedProcess(data, ORDINARY);
  await attached.reported('opened');
  expect((await stat(`/proc/${await serverPid(data)}`)).uid).toBe(ORDINARY.uid);
  expect(await ownerAndMode(join(data, 'postgres'))).toBe(`${ORDINARY.uid} 700`);
  await attached.close();
});

test.runIf(canBeOthers)(
  'an ordinary user gets an error if the database belongs to another user',
  async () => {
    const data = await folders.make();
    await mkdir(join(data, 'postgres'), { recursive: true });
    const attached = new AttachedProcess(data, ORDINARY);
    expect((await attached.reported('failed')).message).toMatch(/belongs to uid 0: run Parapet as that user/);
  },
);

test.runIf(canBeOthers)('a user without an entry in /etc/passwd, as in many containers', async () => {
  const data = await folders.make(0o700, NAMELESS);
  const attached = new AttachedProcess(data, NAMELESS);
  await attached.reported('opened');
  attached.order('insert');
  await attached.reported('acknowledged');
  expect((await stat(join(data, 'postgres/cluster-18'))).uid).toBe(NAMELESS.uid);
  await attached.close();
});

test('a link to a missing folder is an error, not an empty database', async () => {
  const data = await folders.make();
  await mkdir(data);
  await symlink(join(dirname(data), 'not-mounted'), join(data, 'postgres'));
  await expect(openPrivatePostgres({ directory: data })).rejects.toThrow(/links to a missing folder/);
  expect((await lstat(join(data, 'postgres'))).isSymbolicLink()).toBe(true);
});

test('a cluster of another major version is not replaced with an empty one', async () => {
  const data = await realpath(dirname(await folders.make()));
  await mkdir(join(data, 'postgres/cluster-17'), { recursive: true });
  await expect(openPrivatePostgres({ directory: data })).rejects.toThrow(/cluster-17 needs PostgreSQL 17/);
});

/** The name of the programs' folder contains the full version. */
async function realNameOf(name: string): Promise<string> {
  return name === 'bin-18' ? `bin-${(await locatePackage()).version}` : name;
}

async function ownerAndMode(path: string): Promise<string> {
  const { uid, mode } = await stat(path);
  return `${uid} ${(mode & 0o777).toString(8)}`;
}
