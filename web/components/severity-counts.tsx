import { Group } from '@mantine/core';
import { Link } from 'react-router';
import type { SeverityCounts as Counts } from '../../src/contract/dashboard/findings.ts';
import type { Severity } from '../../src/contract/severity.ts';
import { Dimmed } from './dimmed.tsx';
import { SeverityBadge, severityColor, severityLabel } from './severity-badge.tsx';
import classes from './severity-counts.module.css';

const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

interface CountsProps {
  readonly open: Counts;
  /** False if no scan has assessed anything, so that zero findings are not reported as none. */
  readonly scanned: boolean;
}

/** Open findings in a table cell, most severe first. */
export function SeverityCounts({ open, scanned }: CountsProps) {
  const present = severities.filter(severity => open[severity] > 0);
  if (present.length === 0) return <Dimmed span>{scanned ? 'None' : 'Not scanned'}</Dimmed>;
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {present.map(severity => (
        <span
          key={severity}
          className={classes.count}
          style={{ borderColor: severityColor(severity) }}
          title={`${open[severity]} ${severityLabel(severity).toLowerCase()}`}
        >
          {open[severity].toLocaleString()}
          <span aria-hidden>{severityLabel(severity).charAt(0)}</span>
          <span className="visually-hidden"> {severityLabel(severity)}</span>
        </span>
      ))}
    </Group>
  );
}

interface TilesProps {
  readonly open: Counts;
  readonly href: (severity: Severity) => string;
}

/** Open findings by severity, each linked to its list. */
export function SeverityTiles({ open, href }: TilesProps) {
  return (
    <ul className={classes.tiles}>
      {severities.map(severity => (
        <li key={severity}>
          <Link to={href(severity)} className={classes.tile ?? ''}>
            <span className={classes.number}>{open[severity].toLocaleString()}</span>
            <SeverityBadge severity={severity} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
