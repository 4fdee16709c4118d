import { type Command, InvalidArgumentError } from 'commander';
import type { JobCount } from '../../database/jobs/job-counts.ts';
import { compareVersions } from '../../domain/compare-versions.ts';
import { version } from '../../domain/version.ts';
import { type ListedNode, type Overcommitment, silentSeconds } from '../../resources/installation/nodes.ts';
import type { OrganizationActivity } from '../../resources/installation/organization-activity.ts';
import type { Storage } from '../../resources/storage.ts';
import { examineBackups } from '../examine-backups.ts';
import { textTable } from '../text-table.ts';
import { type DataOption, print, withData, withStorage } from './operator.ts';

interface Options extends DataOption {
  readonly json?: boolean;
  readonly limit: number;
}

/** A worker that is there takes a job within seconds, unless all of its places are in use. */
const lateSeconds = 300;

export function addAdmin(program: Command): void {
  withData(program.command('admin').description('show nodes, queue, organizations and the last backup'))
    .option('--json', 'print JSON')
    .option('--limit <count>', 'organizations to list, those with the latest activity first', count, 20)
    .action(run);
}

function count(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new InvalidArgumentError('must be a number from 1 to 100000.');
  return number;
}

async function run(options: Options): Promise<void> {
  const installation = await withStorage(options, storage => describe(storage, options.limit));
  print(options.json, documentOf(installation), () => textOf(installation));
}

interface Installation {
  readonly server: { readonly version: string; readonly migration: string };
  readonly nodes: readonly ListedNode[];
  readonly overcommitment: Overcommitment | undefined;
  readonly queues: readonly JobCount[];
  readonly backups: { readonly ok: boolean; readonly detail: string };
  readonly organizations: readonly OrganizationActivity[];
  readonly more: boolean;
}

async function describe(storage: Storage, limit: number): Promise<Installation> {
  const { system } = storage;
  const organizations = await system.organizationActivity(limit + 1);
  return {
    server: await system.describeServer(),
    nodes: await storage.nodes.list(),
    overcommitment: await storage.nodes.overcommitment(),
    queues: await system.jobCounts(),
    backups: await examineBackups(storage),
    organizations: organizations.slice(0, limit),
    more: organizations.length > limit,
  };
}

const isSilent = ({ seenSecondsAgo }: ListedNode) => seenSecondsAgo > silentSeconds;

/** What a person must do something about, most urgent first. */
function attentionOf({ nodes, overcommitment, queues, backups }: Installation): string[] {
  const running = nodes.filter(node => !isSilent(node));
  const newest = running
    .map(node => node.version)
    .sort(compareVersions)
    .at(-1);
  const late = queues.filter(({ oldestSeconds }) => oldestSeconds > lateSeconds);
  return [
    ...(running.some(({ role }) => role !== 'worker') ? [] : ['no node runs that answers requests']),
    ...(running.some(({ role }) => role !== 'api') ? [] : ['no node runs that scans']),
    ...nodes
      .filter(isSilent)
      .map(
        node =>
          `${node.host} (${node.role}) ended without notice, or cannot reach the database: silent for ${ago(node.seenSecondsAgo)}`,
      ),
    ...running
      .filter(node => node.version !== newest)
      .map(node => `${node.host} (${node.role}) runs ${node.version}, others run ${newest}`),
    ...(overcommitment
      ? [
          `${overcommitment.nodes} nodes may use ${overcommitment.most} connections, and PostgreSQL permits ${overcommitment.permitted}`,
        ]
      : []),
    ...late.map(
      ({ queue, waiting, oldestSeconds }) =>
        `${waiting} jobs of ${queue} wait, the oldest for ${ago(oldestSeconds)}`,
    ),
    ...(backups.ok ? [] : [`backups: ${backups.detail}`]),
  ];
}

function documentOf(installation: Installation) {
  const { server, nodes, queues, backups, organizations, more } = installation;
  return {
    version,
    database: { version: server.version, migration: server.migration },
    attention: attentionOf(installation),
    nodes: nodes.map(node => ({
      id: node.id,
      host: node.host,
      role: node.role,
      version: node.version,
      connections: node.connections,
      started_at: node.startedAt,
      seen_at: node.seenAt,
      silent: isSilent(node),
    })),
    queues: queues.map(({ queue, waiting, running, oldestSeconds }) => ({
      queue,
      waiting,
      running,
      oldest_seconds: oldestSeconds,
    })),
    backups,
    organizations: organizations.map(organization => ({
      id: organization.id,
      name: organization.name,
      created_at: organization.createdAt,
      deleted_at: organization.deletedAt,
      people: organization.people,
      sources: organization.sources,
      jobs: organization.jobs,
      last_activity: organization.lastActivity,
    })),
    has_more_organizations: more,
  };
}

function textOf(installation: Installation): string {
  const { server, nodes, queues, backups, organizations, more } = installation;
  const attention = attentionOf(installation);
  return [
    `Parapet ${version}, PostgreSQL ${server.version}, schema ${server.migration}`,
    `Backups: ${backups.detail}`,
    ...(attention.length > 0 ? ['', 'Needs attention:', ...attention.map(each => `  ${each}`)] : []),
    '',
    ...textTable([
      ['node', 'role', 'version', 'connections', 'started', 'last seen'],
      ...nodes.map(node => [
        node.host,
        node.role,
        node.version,
        node.connections === null ? '' : String(node.connections),
        minute(node.startedAt),
        `${ago(node.seenSecondsAgo)} ago`,
      ]),
    ]),
    '',
    ...textTable(
      [
        ['queue', 'waiting', 'running', 'oldest'],
        ...queues.map(({ queue, waiting, running, oldestSeconds }) => [
          queue,
          String(waiting),
          String(running),
          waiting > 0 ? ago(oldestSeconds) : '',
        ]),
      ],
      { right: [1, 2, 3] },
    ),
    '',
    ...textTable(
      [
        ['organization', 'people', 'sources', 'jobs', 'last activity', 'name'],
        ...organizations.map(each => [
          each.id,
          String(each.people),
          String(each.sources),
          String(each.jobs),
          each.lastActivity === null ? '' : minute(each.lastActivity),
          each.deletedAt === null ? each.name : `${each.name} (being deleted)`,
        ]),
      ],
      { right: [1, 2, 3] },
    ),
    ...(more ? ['More organizations: --limit'] : []),
  ].join('\n');
}

const minute = (at: string) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function ago(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
