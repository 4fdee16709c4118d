import { Code, Stack, Title } from '@mantine/core';
import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { exactTime } from '../../formats/relative-time.ts';
import { DetailDrawer } from '../../later/detail-drawer.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './audit.module.css';
import { actionText, actorText, targetText } from './entry-text.ts';
import { targetPath } from './target-path.ts';

interface Props {
  readonly entry: AuditEntry | undefined;
  readonly onClose: () => void;
}

/** One entry, beside the log. */
export function EntryDrawer({ entry, onClose }: Props) {
  return (
    <DetailDrawer
      opened={entry !== undefined}
      onClose={onClose}
      title={entry ? `Entry ${entry.sequence.toLocaleString()}` : 'Entry'}
    >
      {entry && <Details entry={entry} onLeave={onClose} />}
    </DetailDrawer>
  );
}

function Details({ entry, onLeave }: { readonly entry: AuditEntry; readonly onLeave: () => void }) {
  const to = useOrganizationPaths();
  const path = targetPath(entry.object, to);
  const { actor, object, detail } = entry;
  const target = targetText(entry);
  return (
    <Stack gap="md">
      <Title order={3} size="h2" className={classes.sentence ?? ''}>
        {actorText(entry)} {actionText(entry)} {target}
      </Title>
      <Facts>
        <Fact name="Time">
          {exactTime(Date.parse(entry.occurred_at))} (<RelativeTime at={entry.occurred_at} />)
        </Fact>
        <Fact name="Actor">
          {actorText(entry)} <Code>{`${actor.kind} ${actor.id}`}</Code>
        </Fact>
        <Fact name="IP address">{entry.address ? <Mono>{entry.address}</Mono> : 'Unknown'}</Fact>
        <Fact name="Action">
          <Code>{entry.action}</Code>
        </Fact>
        <Fact name="Target">
          {path ? (
            <TextLink to={path} underline="always">
              {target}
            </TextLink>
          ) : (
            target
          )}{' '}
          <Code>{`${object.kind} ${object.id}`}</Code>
        </Fact>
      </Facts>
      {Object.keys(detail).length > 0 && (
        <DrawerSection title="Details">
          <Code block className={classes.detail ?? ''}>
            {JSON.stringify(detail, null, 2)}
          </Code>
        </DrawerSection>
      )}
      <TextLink
        to={to.section('audit', { object_kind: object.kind, object_id: object.id })}
        onClick={onLeave}
      >
        View all entries of this target
      </TextLink>
    </Stack>
  );
}
