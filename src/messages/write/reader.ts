import type { Named } from '../../domain/notification-facts.ts';

/** Who reads a message, and where. */
export interface Reader {
  readonly organization: Named;
  /** Public URL of the dashboard; null if the operator has not set it. */
  readonly dashboard: string | null;
  readonly timeZone: string;
  /** A person reads mail for themselves, a channel is for several. */
  readonly medium: 'mail' | 'chat';
}
