import { setTimeout as pause } from 'node:timers/promises';
import type { AuditHead } from '../database/audit-heads.ts';
import { DatabaseUnavailable } from '../database/outages.ts';
import type { Storage } from '../resources/storage.ts';
import { recur } from './recurring.ts';

const everyMs = 600_000;
/** Heads per log line: several processes cut longer lines (`LogDestination`). A head takes up to 170. */
const headsPerLine = 20;
/** An unresponsive database must not delay shutdown. */
const lastTurnMs = 3_000;

export interface HeadLog {
  /** Logs the heads that changed since the last time, then ends. */
  stop(): Promise<void>;
}

/**
 * Writes the heads of the audit chains to the service log: all of them at first, then those that changed,
 * every ten minutes and at shutdown. The database owner can rewrite a chain, but not a log that is stored
 * elsewhere.
 */
export function logAuditHeads(
  system: Pick<Storage['system'], 'auditHeads'>,
  log: (event: string, fields: object) => void,
  counted: (outcome: 'logged' | 'failed', count: number) => void = () => {},
): HeadLog {
  const logged = new Map<string, string>();
  const turn = async () => {
    let line: AuditHead[] = [];
    const write = () => {
      if (line.length > 0) log('audit.heads', { heads: line });
      counted('logged', line.length);
      line = [];
    };
    for await (const batch of system.auditHeads()) {
      for (const head of batch) {
        if (logged.get(head.organization_id) === head.hash) continue;
        logged.set(head.organization_id, head.hash);
        line.push(head);
        if (line.length === headsPerLine) write();
      }
    }
    write();
  };
  const failed = (error: unknown) => {
    counted('failed', 1);
    if (!(error instanceof DatabaseUnavailable)) log('audit.heads_failed', { err: error });
  };
  const recurring = recur(everyMs, turn, failed);
  return {
    stop: async () => {
      recurring.stop();
      await Promise.race([turn().catch(failed), pause(lastTurnMs, undefined, { ref: false })]);
    },
  };
}
