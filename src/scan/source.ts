import type { ConnectionMode, Credential, SourceKind } from '../contract/sources.ts';

/**
 * The data of a source that a scan needs, with its credential, if any. The credential is never written to
 * disk.
 */
export interface OpenableSource {
  readonly id: string;
  readonly kind: SourceKind;
  /** Normalized, as stored. */
  readonly host: string;
  readonly connection_mode: ConnectionMode;
  readonly credential: Credential | undefined;
}
