import { type Static, Type } from 'typebox';
import { closed, nameText, Timestamp, Uuid } from '../values.ts';
import { ListFindings } from './findings.ts';

const { cursor: _, ...state } = ListFindings.properties;

/** What a list of findings shows: its filters and its order. */
const FindingViewFilters = closed(state);

/** Filters that somebody keeps under a name. */
export const FindingView = closed({
  id: Uuid,
  name: Type.String(),
  filters: FindingViewFilters,
  shared: Type.Boolean({ description: 'Everyone in the organization sees it.' }),
  mine: Type.Boolean(),
  by: Type.Union([Type.String(), Type.Null()], { description: 'The name of whoever made it.' }),
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
