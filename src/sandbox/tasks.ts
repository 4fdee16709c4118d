import type { InspectionResult } from '../scan/inspect.ts';
import type { OpenableSource } from '../scan/source.ts';
import type { ConnectionOutcome } from '../scan/test-connection.ts';
import type { Proof } from '../surfaces/website/proof-coverage.ts';

/** What a sandbox process does, with what it is given and what comes back: plain JSON, one line each way. */
export interface Tasks {
  inspect: {
    input: {
      readonly source: OpenableSource;
      readonly detectors: readonly string[];
      readonly depth: 'safe' | 'full';
      /** The proof of the domain that was found just now; null where the depth is `safe`. */
      readonly proof: Proof | null;
      /** The locator of the finding that is verified; null where none is. */
      readonly place: string | null;
      /** Locators of open findings whose places are requested again, most severe first. */
      readonly openPlaces: readonly string[];
      /** Pages or databases in which open findings were observed last. */
      readonly openSubjects: readonly string[];
    };
    result: InspectionResult;
  };
  test_connection: { input: { readonly source: OpenableSource }; result: ConnectionOutcome };
  prove_domain: {
    input: { readonly host: string; readonly token: string };
    result: Proof | null;
  };
}

export type TaskName = keyof Tasks;

/** How every target is reached. Part of each task, so that a process keeps nothing between two of them. */
export interface ReachSettings {
  /** CIDRs that are allowed although they are not public (`PARAPET_TARGET_ALLOWLIST`). */
  readonly allowlist: readonly string[];
  readonly userAgent: string;
}

export interface TaskRequest<Name extends TaskName = TaskName> {
  /** Made up for this task: an answer that does not repeat it was written before the task was known. */
  readonly id: string;
  readonly task: Name;
  readonly input: Tasks[Name]['input'];
  readonly settings: ReachSettings;
}

/** A result, or where in our own code the task failed: never what the error said, which may be the target's words. */
export type TaskOutcome = { readonly result: unknown } | { readonly fault: readonly string[] };

export type TaskAnswer = { readonly id: string } & TaskOutcome;
