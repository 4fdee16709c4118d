import type { LiveScan } from '../../test/support/live-scan.ts';

export type Depth = 'safe' | 'full';

/** One target with known flaws, or without any. */
export interface AccuracyCase {
  /** Unique in its family. */
  readonly name: string;
  /**
   * The flaws of the target: ids of checks, each optionally followed by a space and a part of the finding's locator or
   * text. Empty for a good target.
   */
  readonly flaws: readonly string[];
  /** Further flaws that only a full scan finds. Such a case is scanned at both depths. */
  readonly inFullScans?: readonly string[];
  /** Checks above info that are right here too, but are not what the case is about. */
  readonly also?: readonly string[];
  /** What specialists of the family read: a policy, a script, a document. */
  readonly material?: string;
  /** Starts the target, scans it, and ends it. */
  scan(depth: Depth): Promise<LiveScan>;
}

/** Another tool that reads the material of a family's cases. */
export interface Specialist {
  readonly name: string;
  /** Whether it reports a flaw in each material, in order. */
  judge(materials: readonly string[]): Promise<readonly boolean[]>;
}

export interface Family {
  readonly name: string;
  readonly cases: readonly AccuracyCase[];
  readonly specialists?: readonly Specialist[];
}
