import type { ConnectionMode, Credential, SourceKind } from '../contract/sources.ts';

/** What a scan has to know of a source, and what opens it, if anything does. The credential stays in memory. */
export interface OpenableSource {
  readonly id: string;
  readonly kind: SourceKind;
  /** As it is stored: normalized. */
  readonly host: string;
  readonly connection_mode: ConnectionMode;
  readonly credential: Credential | undefined;
}
