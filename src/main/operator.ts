import type { Actor } from '../database/audit.ts';

/** The actor of host commands in the audit log. */
export const operator: Actor = { kind: 'operator', id: 'host' };
