import type { Tracer } from '../domain/tracing.ts';
import type { Mailer } from '../messages/mail/mail.ts';
import type { Storage } from '../resources/storage.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

interface MessageServices {
  /** Undefined if the operator has not set up a mail server. */
  readonly mailer: Mailer | undefined;
  /** CIDRs of non-public addresses of webhooks, which need no TLS there (`PARAPET_WEBHOOK_ALLOWLIST`). */
  readonly webhookAllowlist: readonly string[];
  /** Public URL of the dashboard, for links; null if the operator has not set it. */
  readonly dashboard: string | null;
}

/** The dependencies of the tasks, assembled in main. */
export interface WorkerServices {
  readonly storage: Pick<Storage, 'tenant' | 'vault' | 'jobs' | 'sweep' | 'system' | 'people' | 'keyRing'>;
  /**
   * Whether the operator's allowlist contains the host of a source: such hosts have no limit on concurrent
   * scans.
   */
  readonly isAllowlistedHost: (host: string) => boolean;
  /** Connects to targets and parses what they send. */
  readonly sandbox: Pick<Sandbox, 'run' | 'demand' | 'waiting'>;
  /** Whether this service may connect to databases directly. */
  readonly privilegedConnections: boolean;
  readonly log: (event: string, fields: object) => void;
  /** How notifications are sent. */
  readonly messages: MessageServices;
  /** Measures jobs and runs, if the operator collects traces. */
  readonly tracer?: Tracer | undefined;
}
