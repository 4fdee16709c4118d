import { type OwnSurface, ownSurfaces } from '../contract/dashboard/own-checks.ts';

/** SQL: whether a check or detector is one of the service itself. @param id SQL of its id */
export const isOwn = (id: string) => `(${ownSurfaces.map(surface => isOf(surface, id)).join(' or ')})`;

/** SQL: whether a check or detector is one of this surface. @param id SQL of its id */
export const isOf = (surface: OwnSurface, id: string) => `${id} like '${surface}.%'`;
