import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database/outages.ts';
import { version } from '../domain/version.ts';
import type { Node, Nodes } from '../resources/installation/nodes.ts';
import { connectionsOfNode, type NodeParts } from '../resources/pool-sizes.ts';
import { recur } from '../worker/recurring.ts';

const everyMs = 5_000;
/** An unresponsive database must not delay shutdown. */
const lastMs = 3_000;

export interface NotedNode {
  /** Removes the node from the list. */
  leave(): Promise<void>;
}

interface NotedParts extends NodeParts, Pick<Node, 'role'> {
  /** Whether a pooler shares the connections to PostgreSQL. */
  readonly isPooled: boolean;
  /** The version that its processes run, if they are of another release than this one. */
  readonly versionOf?: () => string;
}

/** Notes for operators that this node runs, now and every few seconds. A database that does not respond is tried again. */
export async function noteNode(
  nodes: Pick<Nodes, 'note' | 'remove' | 'overcommitment'>,
  { role, isPooled, versionOf = () => version, ...parts }: NotedParts,
  log: (event: string, fields: object) => void,
): Promise<NotedNode> {
  const connections = isPooled ? null : connectionsOfNode(parts);
  const node = { id: randomUUID(), host: hostname().slice(0, 255) || 'unnamed', role, connections };
  const failed = (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) log('node.not_noted', { err: error });
  };
  let noting = Promise.resolve();
  const note = () => {
    noting = nodes.note({ ...node, version: versionOf() }, process.uptime()).catch(failed);
    return noting;
  };
  await note();
  await nodes.overcommitment().then(over => over && log('database.connections_overcommitted', over), failed);
  const recurring = recur(everyMs, note, failed);
  return {
    leave: async () => {
      recurring.stop();
      // One that arrives after the removal would list the node again.
      const removal = noting.then(() => nodes.remove(node)).catch(failed);
      await Promise.race([removal, pause(lastMs, undefined, { ref: false })]);
    },
  };
}
