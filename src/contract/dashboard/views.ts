import { type Static, Type } from 'typebox';
import { closed, nameText, Timestamp, Uuid } from '../values.ts';
import { ListFindings } from './finding-filters.ts';

const { cursor: _, ...state } = ListFindings.properties;

/** Filters and order of a list of findings. */
const FindingViewFilters = closed(state);

/** A saved view of findings. */
export const FindingView = closed({
  id: Uuid,
  name: Type.String(),
  filters: FindingViewFilters,
  shared: Type.Boolean({ description: 'Visible to everyone in the organization.' }),
  mine: Type.Boolean(),
  by: Type.Union([Type.String(), Type.Null()], { description: 'Name of its creator.' }),
  created_at: Timestamp,
});
export type FindingView = Static<typeof FindingView>;

export const FindingViewList = closed({ views: Type.Array(FindingView) });
export const FindingViewEnvelope = closed({ view: FindingView });

export const SaveFindingView = closed({
  name: nameText(100),
  filters: FindingViewFilters,
  shared: Type.Boolean(),
});
export type SaveFindingView = Static<typeof SaveFindingView>;
