import { type Static, Type } from 'typebox';
import { CreateSystem, System } from '../systems.ts';
import { closed, page, Timestamp, text, Uuid } from '../values.ts';
import { SeverityCounts } from './findings.ts';

/** 0 to 100; null if no check has been assessed. */
export const Score = Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()]);

/** A system with its posture. */
export const SystemRow = closed({
  ...System.properties,
  created_at: Timestamp,
  score: Score,
  open: SeverityCounts,
  sources: Type.Integer({ minimum: 0, description: 'Sources that are not disconnected.' }),
  not_scanned: Type.Integer({
    minimum: 0,
    description: 'Sources without any assessed check.',
  }),
});
export type SystemRow = Static<typeof SystemRow>;

export const ListSystems = closed({
  search: Type.Optional(text(200, 'Part of the name. Case-insensitive.')),
  cursor: page.cursor,
});
export type ListSystems = Static<typeof ListSystems>;

export const ListSystemNames = closed({
  search: ListSystems.properties.search,
  id: Type.Optional(Uuid),
});
export type ListSystemNames = Static<typeof ListSystemNames>;

/** The first systems by name that match, and the one with the id. */
export const SystemNames = closed({
  systems: Type.Array(closed({ id: Uuid, name: Type.String() })),
});
export type SystemNames = Static<typeof SystemNames>;

export const SystemPage = closed({
  systems: Type.Array(SystemRow),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type SystemPage = Static<typeof SystemPage>;
export const SystemRowEnvelope = closed({ system: SystemRow });

const { name, environment, kind } = CreateSystem.properties;
/** Editable fields of a system. */
export const ChangeSystem = closed({ name, environment, kind });
export type ChangeSystem = Static<typeof ChangeSystem>;
