import { Link } from 'react-router';
import type { FailedCheck } from '../../../src/contract/dashboard/findings.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { counted } from '../../formats/numbers.ts';
import classes from './fix-first.module.css';

interface Props {
  readonly checks: readonly FailedCheck[];
  /** The findings of a check. */
  readonly href: (check: string) => string;
}

/** The checks to fix first, each linked to its findings. */
export function FixFirst({ checks, href }: Props) {
  return (
    <Section
      title="Fix first"
      description="Most severe first, then what anyone can use now, then the most findings."
    >
      <ol className={classes.checks}>
        {checks.map(({ check, title, severity, count }) => (
          <li key={check}>
            <SeverityBadge severity={severity} />
            <Link to={href(check)} className={classes.title ?? ''}>
              {title}
            </Link>
            <Dimmed span>{counted(count, 'finding')}</Dimmed>
          </li>
        ))}
      </ol>
    </Section>
  );
}
