import type { ConnectionMode, Credential, SourceKind } from '../contract/sources.ts';

/** What a scan has to know of a source. */
interface SourceToScan {
  readonly id: string;
  readonly kind: SourceKind;
  /** As it is stored: normalized. */
  readonly host: string;
  readonly connection_mode: ConnectionMode;
}

/** A source and what opens it, if anything does. The credential stays in memory. */
export interface OpenableSource extends SourceToScan {
  readonly credential: Credential | undefined;
}
