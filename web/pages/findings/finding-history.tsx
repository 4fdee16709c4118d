import { Text, Timeline } from '@mantine/core';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { historyOf } from './history.ts';

/** Detections and triage decisions, newest first. */
export function FindingHistory({ finding }: { readonly finding: FindingDetail }) {
  const to = useOrganizationPaths();
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      {historyOf(finding).map(({ key, at, title, scanId, reason, acceptedUntil }) => (
        <Timeline.Item
          key={key}
          title={
            <Text span fw={500}>
              {title}
            </Text>
          }
        >
          <Dimmed>
            <RelativeTime at={at} />
            {scanId && (
              <>
                {' · '}
                <TextLink to={to.object('scans', scanId)} underline="always">
                  View scan
                </TextLink>
              </>
            )}
          </Dimmed>
          {reason && <Text size="sm">{reason}</Text>}
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
