import type { CheckDescription, DetectorDescription } from '../domain/check-description.ts';

/** Checks by id, which is the category of their findings. */
export function checkIndex(detectors: readonly DetectorDescription[]): ReadonlyMap<string, CheckDescription> {
  return new Map(detectors.flatMap(({ checks }) => checks).map(check => [check.id, check]));
}
