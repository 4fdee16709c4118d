import { type Static, Type } from 'typebox';
import { choice, closed, Day, form, page, Timestamp } from '../values.ts';
import { type AuditProblem, auditProblemTexts } from './audit-problems.ts';

const actorKinds = ['person', 'key', 'operator', 'service'] as const;

const name = Type.Union([Type.String(), Type.Null()], {
  description: 'Null if it has no name, or was deleted.',
});

export const AuditEntry = closed({
  sequence: Type.Integer({ minimum: 1, description: 'Starts at 1, without gaps.' }),
  occurred_at: Timestamp,
  actor: closed({ kind: choice(actorKinds), id: Type.String(), name }),
  action: Type.String({ examples: ['source.disconnected'] }),
  object: closed({ kind: Type.String(), id: Type.String(), name }),
  detail: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  address: Type.Union([Type.String(), Type.Null()]),
});
export type AuditEntry = Static<typeof AuditEntry>;

const filters = {
  actor_kind: Type.Optional(choice(actorKinds)),
  actor_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      ...form('^[^\\u0000\\ud800-\\udfff]+$', 'must not contain U+0000'),
    }),
  ),
  action: Type.Optional(Type.String({ maxLength: 100, pattern: '^[a-z_]+(\\.[a-z_]+)*$' })),
  object_kind: Type.Optional(Type.String({ maxLength: 50, pattern: '^[a-z_]+$' })),
  object_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000\\ud800-\\udfff]+$' }),
  ),
  /** Inclusive. */
  from: Type.Optional(Day),
  until: Type.Optional(Day),
};

export const ListAuditEntriesQuery = closed({ ...filters, ...page });
export type ListAuditEntriesQuery = Static<typeof ListAuditEntriesQuery>;
export type AuditFilters = Omit<ListAuditEntriesQuery, 'limit' | 'cursor'>;

export const AuditEntryList = closed({
  entries: Type.Array(AuditEntry),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type AuditEntryList = Static<typeof AuditEntryList>;

export const ExportAuditEntriesQuery = closed({ format: choice(['csv', 'jsonl'] as const), ...filters });

/** The result of recomputing the hash chain. */
export const AuditVerification = closed({
  holds: Type.Boolean(),
  entries: Type.Integer({ minimum: 0, description: 'Sequence of the last entry.' }),
  holds_until: Type.Integer({ minimum: 0, description: 'The chain is valid up to this entry.' }),
  head: Type.String({ description: 'Hash of the last entry, hexadecimal. Keep a copy outside Parapet.' }),
  problem: Type.Union([choice(Object.keys(auditProblemTexts) as AuditProblem[]), Type.Null()]),
  verified_at: Timestamp,
});
export type AuditVerification = Static<typeof AuditVerification>;
