import type { Actor } from '../database/audit.ts';

/** In the audit log, what is done at the host is the operator's act. */
export const operator: Actor = { kind: 'operator', id: 'host' };
