import { type Static, Type } from 'typebox';
import { choice, closed, Day, NullableUuid, page, Timestamp, Uuid } from '../values.ts';

const evidenceKinds = ['controls', 'scan', 'file'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** A snapshot of the controls or of a scan, or an uploaded file. Immutable. */
export const Evidence = closed({
  id: Uuid,
  kind: choice(evidenceKinds),
  name: Type.String({ description: 'A file name.' }),
  media_type: Type.String(),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ description: 'SHA-256 of the content, hexadecimal.' }),
  scan_id: NullableUuid,
  created_by: Type.Union([Type.String(), Type.Null()], { description: 'A name.' }),
  created_at: Timestamp,
  retained_until: Timestamp,
});
export type Evidence = Static<typeof Evidence>;

export const ListEvidenceQuery = closed({ kind: Type.Optional(choice(evidenceKinds)), ...page });
export type ListEvidenceQuery = Static<typeof ListEvidenceQuery>;

export const EvidenceList = closed({
  evidence: Type.Array(Evidence),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  usage: closed({
    bytes: Type.Integer({ minimum: 0 }),
    bytes_limit: Type.Integer({ minimum: 0 }),
    items: Type.Integer({ minimum: 0 }),
    items_limit: Type.Integer({ minimum: 0 }),
  }),
});
export type EvidenceList = Static<typeof EvidenceList>;
export const EvidenceEnvelope = closed({ evidence: Evidence });

export const TakeSnapshot = Type.Union([
  closed({ kind: Type.Literal('controls') }),
  closed({ kind: Type.Literal('scan'), scan_id: Uuid }),
]);
export type TakeSnapshot = Static<typeof TakeSnapshot>;

/** The body is the raw file. */
export const UploadFileQuery = closed({
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    // No path, no control or formatting character, no lone surrogate; not hidden, no trailing dot or space.
    pattern:
      '^(?![.\\s])[^/\\\\:*?"<>|\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]*[^\\s.]$',
    description: 'File name with an extension that matches the type.',
  }),
});

/** Both days are inclusive. */
export const AuditPackQuery = closed({
  from: Day,
  until: Day,
});
export type AuditPackQuery = Static<typeof AuditPackQuery>;
