import type { Logger } from 'pino';

/**
 * Levels of events that a part reports by name, if not `info`. `warn`: it is tried again, or the service helps itself. `error`: something
 * is lost, or a person must do something. `docs/logging.md` lists all events; a test compares it with the code.
 */
export const levels: Readonly<Record<string, 'warn' | 'error'>> = {
  'database.connections_limited': 'warn',
  'database.connections_overcommitted': 'warn',
  'jobs.error': 'warn',
  'job.failed': 'warn',
  'scan.abandoned': 'error',
  'pace.failed': 'warn',
  'sweep.failed': 'warn',
  'node.not_noted': 'warn',
  'due.failed': 'warn',
  'retention.failed': 'warn',
  'replica.unusable': 'warn',
  'events.failed': 'warn',
  'events.not_processed': 'warn',
  'event.not_processed': 'warn',
  'event.left_out': 'error',
  'audit.still_pending': 'warn',
  'acceptance.not_ended': 'warn',
  'probe.silence_not_marked': 'warn',
  'probe.presence_not_reported': 'warn',
  'shield.not_assessed': 'warn',
  'retention.not_applied': 'warn',
  'watch.not_started': 'warn',
  'notices.not_sent_on': 'warn',
  'digests.not_begun': 'warn',
  'notices.not_foreseen': 'warn',
  'notices.failed': 'warn',
  'messages.failed': 'warn',
  'message.not_sent': 'warn',
  'message.failed': 'warn',
  'audit.heads_failed': 'warn',
  'tracing.failed': 'warn',
  'master_key.lost': 'warn',
  'sandbox.died': 'warn',
  'sandbox.fault': 'error',
  'postgres.not_handed_over': 'warn',
  'postgres.user_not_mapped': 'warn',
  'postgres.left_overs_ended': 'warn',
  'postgres.stopped_hard': 'warn',
};

/** Logs an event at its level. */
export function logEvent(logger: Pick<Logger, 'info' | 'warn' | 'error'>) {
  return (event: string, fields: object): void => logger[levels[event] ?? 'info'](fields, event);
}
