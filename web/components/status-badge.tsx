import type { Icon } from '@tabler/icons-react';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconEyeOff,
  IconLoader2,
  IconPlugConnectedX,
  IconQuestionMark,
} from '@tabler/icons-react';
import classes from './badges.module.css';

type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet';

/** Every status on the pages, of findings, sources, probes, scans, keys and controls. */
const badges = {
  // Findings
  open: [IconAlertTriangle, 'bad', 'Open'],
  resolved: [IconCircleCheck, 'good', 'Resolved'],
  accepted: [IconClock, 'warn', 'Accepted'],
  false_positive: [IconEyeOff, 'quiet', 'False positive'],
  // Sources
  draft: [IconCircleDashed, 'quiet', 'Draft'],
  pending: [IconClock, 'warn', 'Pending'],
  connected: [IconCircleCheck, 'good', 'Connected'],
  failing: [IconCircleX, 'bad', 'Failing'],
  disconnected: [IconPlugConnectedX, 'quiet', 'Disconnected'],
  // Probes and their targets
  reporting: [IconCircleCheck, 'good', 'Reporting'],
  silent: [IconPlugConnectedX, 'bad', 'Silent'],
  key_revoked: [IconCircleX, 'bad', 'Key revoked'],
  key_expired: [IconClock, 'bad', 'Key expired'],
  ok: [IconCircleCheck, 'good', 'OK'],
  waiting: [IconClock, 'quiet', 'Waiting'],
  // Shield
  on: [IconCircleCheck, 'good', 'On'],
  off: [IconCircleMinus, 'quiet', 'Off'],
  // Scans and their runs
  queued: [IconClock, 'quiet', 'Queued'],
  running: [IconLoader2, 'busy', 'Running'],
  completed: [IconCircleCheck, 'good', 'Completed'],
  succeeded: [IconCircleCheck, 'good', 'Succeeded'],
  failed: [IconCircleX, 'bad', 'Failed'],
  canceled: [IconCircleMinus, 'quiet', 'Canceled'],
  skipped: [IconCircleMinus, 'quiet', 'Skipped'],
  // Verdicts
  pass: [IconCircleCheck, 'good', 'Pass'],
  warn: [IconAlertTriangle, 'warn', 'Warn'],
  fail: [IconCircleX, 'bad', 'Fail'],
  inconclusive: [IconQuestionMark, 'quiet', 'Inconclusive'],
  // Keys
  active: [IconCircleCheck, 'good', 'Active'],
  expired: [IconClock, 'quiet', 'Expired'],
  revoked: [IconCircleX, 'quiet', 'Revoked'],
  // Controls
  supported: [IconCircleCheck, 'good', 'Supported'],
  attention: [IconAlertTriangle, 'warn', 'Needs attention'],
  attested: [IconQuestionMark, 'warn', 'Attested, not proven'],
  not_assessed: [IconCircleDashed, 'quiet', 'Not assessed'],
  not_applicable: [IconCircleMinus, 'quiet', 'Not applicable'],
} as const satisfies Record<string, readonly [Icon, Tone, string]>;

export type Status = keyof typeof badges;

export const statusLabel = (status: Status): string => badges[status][2];

interface Props {
  readonly status: Status;
  /** Replaces the word. */
  readonly label?: string;
}

/** A status as an icon and a word. */
export function StatusBadge({ status, label }: Props) {
  const [Icon, tone, word] = badges[status];
  return (
    <span className={`${classes.status} ${classes[tone]}`}>
      <Icon size={16} aria-hidden className={status === 'running' ? classes.spinning : undefined} />
      <span className={classes.label}>{label ?? word}</span>
    </span>
  );
}
