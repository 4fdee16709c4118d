import { Anchor, Code, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { Facts } from '../../components/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './audit.module.css';
import { actionWords, actorName, objectName } from './words.ts';

interface Props {
  readonly entry: AuditEntry | undefined;
  readonly onClose: () => void;
}

/** All of one entry beside the log. */
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

interface DetailsProps {
  readonly entry: AuditEntry;
  readonly onLeave: () => void;
}

function Details({ entry, onLeave }: DetailsProps) {
  const to = useOrganizationPaths();
  const place = placeOf(entry, to);
  const { actor, object, detail } = entry;
  return (
    <Stack gap="md">
      <Title order={3} size="h2" className={classes.sentence ?? ''}>
        {actorName(entry)} {actionWords(entry)} {objectName(entry)}
      </Title>
      <Facts>
        <dt>When</dt>
        <dd>
          {entry.occurred_at} (<RelativeTime at={entry.occurred_at} />)
        </dd>
        <dt>Who</dt>
        <dd>
          {actorName(entry)} <Mono>{`${actor.kind} ${actor.id}`}</Mono>
        </dd>
        <dt>From</dt>
        <dd>{entry.address ?? 'Not known'}</dd>
        <dt>Act</dt>
        <dd>
          <Mono>{entry.action}</Mono>
        </dd>
        <dt>On</dt>
        <dd>
          {place ? (
            <Anchor component={Link} to={place} size="sm" underline="always">
              {objectName(entry)}
            </Anchor>
          ) : (
            objectName(entry)
          )}{' '}
          <Mono>{`${object.kind} ${object.id}`}</Mono>
        </dd>
      </Facts>
      {Object.keys(detail).length > 0 && (
        <Stack gap={4}>
          <Title order={4}>Detail</Title>
          <Code block className={classes.detail ?? ''}>
            {JSON.stringify(detail, null, 2)}
          </Code>
        </Stack>
      )}
      <Anchor
        component={Link}
        to={to.section('audit', { object_kind: object.kind, object_id: object.id })}
        size="sm"
        onClick={onLeave}
      >
        See everything that was done to it
      </Anchor>
    </Stack>
  );
}

function Mono({ children }: { readonly children: string }) {
  return (
    <Text span size="xs" c="dimmed" ff="monospace">
      {children}
    </Text>
  );
}

/** Where the object is to be seen; undefined where it has no page. */
function placeOf({ object }: AuditEntry, to: ReturnType<typeof useOrganizationPaths>): string | undefined {
  switch (object.kind) {
    case 'source':
      return to.object('sources', object.id);
    case 'scan':
      return to.object('scans', object.id);
    case 'system':
      return to.section('systems');
    case 'finding':
      return to.section('findings', { status: 'any', finding: object.id });
    case 'control':
      return to.section('controls', { control: object.id });
    case 'evidence':
      return to.section('evidence');
    case 'key':
      return to.section('settings/keys');
    case 'person':
    case 'invitation':
      return to.section('settings/people');
    default:
      return undefined;
  }
}
