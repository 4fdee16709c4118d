import {
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconCircleFilled,
  IconInfoCircle,
  IconSquareRotatedFilled,
} from '@tabler/icons-react';
import type { Severity } from '../../src/contract/severity.ts';
import classes from './badges.module.css';

/** Each severity has a shape and a word of its own: colour is never all that tells them apart. */
const looks = {
  critical: { Icon: IconAlertOctagonFilled, label: 'Critical' },
  high: { Icon: IconAlertTriangleFilled, label: 'High' },
  medium: { Icon: IconSquareRotatedFilled, label: 'Medium' },
  low: { Icon: IconCircleFilled, label: 'Low' },
  info: { Icon: IconInfoCircle, label: 'Info' },
} as const satisfies Record<Severity, object>;

export const severityLabel = (severity: Severity): string => looks[severity].label;

/** For charts, borders and numbers; the word beside them says the same. */
export const severityColor = (severity: Severity): string => `var(--severity-${severity})`;

export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  const { Icon, label } = looks[severity];
  return (
    <span className={classes.severity} style={{ color: severityColor(severity) }}>
      <Icon size={14} aria-hidden />
      {label}
    </span>
  );
}
