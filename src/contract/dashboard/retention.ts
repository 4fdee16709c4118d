import { type Static, Type } from 'typebox';
import { choice, closed, NullableTimestamp, nullable, Timestamp } from '../values.ts';
import { scanRetentions } from './retention-days.ts';

type Days = (typeof scanRetentions)[number];

const days = nullable(Type.Unsafe<Days>({ type: 'integer', enum: [...scanRetentions] }));

/** For how many whole days (UTC) finished scans are kept, with the results of their detectors. Null keeps all. */
export const ScanRetention = closed({ retention_days: days });
export type ScanRetention = Static<typeof ScanRetention>;

/** Another retention, whose effect is wanted. */
export const PreviewScanRetention = closed({
  retention_days: Type.Optional(choice(scanRetentions.map(String))),
});
export type PreviewScanRetention = Static<typeof PreviewScanRetention>;

/** The most scans that a preview counts. */
export const mostCounted = 100_000;

/** The retention, and what it or another one would delete today. */
export const ScanRetentionState = closed({
  retention_days: days,
  applies_at: { ...Timestamp, description: 'Nothing is deleted by this retention earlier.' },
  would_delete: closed({
    scans: Type.Integer({ minimum: 0, maximum: mostCounted }),
    has_more: Type.Boolean({
      description: `Whether there are more than ${mostCounted}, which are not counted.`,
    }),
    before: { ...NullableTimestamp, description: 'The scans started before. Null if all are kept.' },
  }),
  oldest: { ...NullableTimestamp, description: 'The start of the oldest scan. Null without scans.' },
});
export type ScanRetentionState = Static<typeof ScanRetentionState>;
