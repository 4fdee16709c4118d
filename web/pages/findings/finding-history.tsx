import { Text, Timeline } from '@mantine/core';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { CommentEntry } from './comment-entry.tsx';
import { historyOf } from './history.ts';
import classes from './work.module.css';

/** Detections, triage, owners, due dates and comments, newest first. */
export function FindingHistory({ finding }: { readonly finding: FindingDetail }) {
  const to = useOrganizationPaths();
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      {historyOf(finding).map(({ key, at, title, scanId, reason, acceptedUntil, comment }) => (
        <Timeline.Item
          key={key}
          title={
            <Text span fw={500} className={classes.name ?? ''}>
              {title}
            </Text>
          }
        >
          <Dimmed>
            <RelativeTime at={at} />
            {comment?.edited_at && (
              <>
                {' · edited '}
                <RelativeTime at={comment.edited_at} />
              </>
            )}
            {scanId && (
              <>
                {' · '}
                <TextLink to={to.object('scans', scanId)} underline="always">
                  View scan
                </TextLink>
              </>
            )}
          </Dimmed>
          {comment && <CommentEntry comment={comment} />}
          {reason && (
            <Text size="sm" className={classes.name ?? ''}>
              {reason}
            </Text>
          )}
          {acceptedUntil && (
            <Dimmed>
              Accepted until <RelativeTime at={acceptedUntil} />
            </Dimmed>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
