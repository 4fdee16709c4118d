import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database/outages.ts';
import { version } from '../domain/version.ts';
import type { Node, Nodes } from '../resources/installation/nodes.ts';
import { recur } from '../worker/recurring.ts';

const everyMs = 5_000;
/** An unresponsive database must not delay shutdown. */
const lastMs = 3_000;

export interface NotedNode {
  /** Removes the node from the list. */
  leave(): Promise<void>;
}

/**
 * Notes for operators that this node runs, now and every few seconds. A database that does not respond is tried again.
 *
 * @param versionOf the version that its processes run, if they are of another release than this one
 */
export async function noteNode(
  nodes: Pick<Nodes, 'note' | 'remove'>,
  role: Node['role'],
  log: (event: string, fields: object) => void,
  versionOf: () => string = () => version,
): Promise<NotedNode> {
  const node = { id: randomUUID(), host: hostname().slice(0, 255) || 'unnamed', role };
  const failed = (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) log('node.not_noted', { message: String(error) });
  };
  let noting = Promise.resolve();
  const note = () => {
    noting = nodes.note({ ...node, version: versionOf() }, process.uptime()).catch(failed);
    return noting;
  };
  await note();
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
