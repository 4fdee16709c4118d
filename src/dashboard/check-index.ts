import type { CheckDescription, DetectorDescription } from '../domain/check-description.ts';

/** Checks by their ids, which are the categories of their findings. */
export function checkIndex(detectors: readonly DetectorDescription[]): ReadonlyMap<string, CheckDescription> {
  return new Map(detectors.flatMap(({ checks }) => checks).map(check => [check.id, check]));
}
