import {
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconCircleFilled,
  IconInfoCircle,
  IconSquareRotatedFilled,
} from '@tabler/icons-react';
import type { Severity } from '../../src/contract/severity.ts';
import classes from './badges.module.css';

/** Each severity has its own shape and word, since color alone does not convey it. */
const badges = {
  critical: { Icon: IconAlertOctagonFilled, label: 'Critical' },
  high: { Icon: IconAlertTriangleFilled, label: 'High' },
  medium: { Icon: IconSquareRotatedFilled, label: 'Medium' },
  low: { Icon: IconCircleFilled, label: 'Low' },
  info: { Icon: IconInfoCircle, label: 'Info' },
} as const satisfies Record<Severity, object>;

export const severityLabel = (severity: Severity): string => badges[severity].label;

/** For charts, borders and numbers that stand beside the label. */
export const severityColor = (severity: Severity): string => `var(--severity-${severity})`;

export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  const { Icon, label } = badges[severity];
  return (
    <span className={classes.severity} style={{ color: severityColor(severity) }}>
      <Icon size={14} aria-hidden />
      {label}
    </span>
  );
}
