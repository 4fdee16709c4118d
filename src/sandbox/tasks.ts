import type { InspectionResult } from '../scan/inspect.ts';
import type { OpenableSource } from '../scan/source.ts';
import type { ConnectionOutcome } from '../scan/test-connection.ts';
import type { OwnPlace } from '../surfaces/connection/target-guard.ts';
import type { PostOutcome } from '../surfaces/webhook/post-message.ts';
import type { Proof } from '../surfaces/website/proof-coverage.ts';

/** The tasks of a sandbox process, with their inputs and results: plain JSON, one line each way. */
export interface Tasks {
  inspect: {
    input: {
      readonly source: OpenableSource;
      readonly detectors: readonly string[];
      readonly depth: 'safe' | 'full';
      /** The proof of domain that was just found; null if the depth is `safe`. */
      readonly proof: Proof | null;
      /** The locator of the finding to verify; null if there is none. */
      readonly place: string | null;
      /** Locators of open findings whose places are requested again, most severe first. */
      readonly openPlaces: readonly string[];
      /** Pages or databases where open findings were last observed. */
      readonly openSubjects: readonly string[];
      /**
       * Of a probe: also returns what can be compared with another assessment, and masks secrets in names of a
       * database with this key.
       */
      readonly maskKey?: string;
    };
    result: InspectionResult;
  };
  test_connection: { input: { readonly source: OpenableSource }; result: ConnectionOutcome };
  prove_domain: {
    input: { readonly host: string; readonly token: string };
    result: Proof | null;
  };
  /** Posts a message to the incoming webhook of a chat system. */
  post_message: {
    input: {
      readonly url: string;
      readonly body: string;
      /** CIDRs of non-public addresses that webhooks may have, apart from those that scans may reach. */
      readonly allowlist: readonly string[];
    };
    result: PostOutcome;
  };
}

export type TaskName = keyof Tasks;

/** How targets are reached. Part of each task, so that a process keeps no state between tasks. */
export interface ReachSettings {
  /** CIDRs that are allowed although they are not public (`PARAPET_TARGET_ALLOWLIST`). */
  readonly allowlist: readonly string[];
  readonly ownPlace?: OwnPlace;
  readonly userAgent: string;
  /** PEM of certificate authorities to trust besides the public ones. */
  readonly authorities?: string;
}

export interface TaskRequest<Name extends TaskName = TaskName> {
  /** Random: an answer without it was written before the task was known. */
  readonly id: string;
  readonly task: Name;
  readonly input: Tasks[Name]['input'];
  readonly settings: ReachSettings;
}

/**
 * A result, or where in Parapet's own code the task failed. Without the error message, which may be text of the target.
 */
export type TaskOutcome = { readonly result: unknown } | { readonly fault: readonly string[] };

export type TaskAnswer = { readonly id: string } & TaskOutcome;
