import { Anchor, Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useOrganizationPaths } from '../../paths.ts';

interface Entry {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  readonly scan?: string | null;
  readonly note?: ReactNode;
}

const decided = {
  accepted: 'accepted it',
  false_positive: 'marked it as false positive',
  reopened: 'reopened it',
} as const;

/** What became of a decision without a person. */
const ended = { expired: 'The acceptance ended', reopened: 'A scan reopened it' } as const;

/** What was seen when, and what people decided, newest first. */
function entriesOf({ episodes, decisions }: FindingDetail): Entry[] {
  const seen = episodes.flatMap(
    ({ number, opened_at, opened_by_scan, closed_at, closed_by_scan }): Entry[] => [
      {
        key: `opened ${number}`,
        at: opened_at,
        title: number === 1 ? 'Seen for the first time' : 'Seen again',
        scan: opened_by_scan,
      },
      ...(closed_at
        ? [{ key: `closed ${number}`, at: closed_at, title: 'Not seen any more', scan: closed_by_scan }]
        : []),
    ],
  );
  const taken = decisions.map(
    ({ decision, by, reason, accepted_until, decided_at }): Entry => ({
      key: `decided ${decided_at} ${decision}`,
      at: decided_at,
      title:
        decision === 'expired' || (decision === 'reopened' && by === null)
          ? ended[decision]
          : `${by ?? 'Somebody'} ${decided[decision]}`,
      note: (
        <>
          {reason}
          {accepted_until && (
            <>
              {' '}
              (until <RelativeTime at={accepted_until} />)
            </>
          )}
        </>
      ),
    }),
  );
  return [...seen, ...taken].sort((a, b) => (a.at < b.at ? 1 : -1));
}

export function FindingHistory({ finding }: { readonly finding: FindingDetail }) {
  const to = useOrganizationPaths();
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      {entriesOf(finding).map(({ key, at, title, scan, note }) => (
        <Timeline.Item
          key={key}
          title={
            <Text span fw={500}>
              {title}
            </Text>
          }
        >
          <Text size="sm" c="dimmed">
            <RelativeTime at={at} />
            {scan && (
              <>
                {' by '}
                <Anchor component={Link} underline="always" to={to.object('scans', scan)} size="sm">
                  a scan
                </Anchor>
              </>
            )}
          </Text>
          {note && <Text size="sm">{note}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
