/** The first part of the ids of checks and detectors that contact nothing: the service assesses what it knows itself. */
export const ownSurfaces = ['probe', 'shield'] as const;
export type OwnSurface = (typeof ownSurfaces)[number];

/** The surface of a check of the service itself. Undefined if a scan or a probe assesses the check. */
export const ownSurfaceOf = (check: string): OwnSurface | undefined =>
  ownSurfaces.find(surface => check.startsWith(`${surface}.`));
