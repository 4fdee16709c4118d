import { Code, Stack, Title } from '@mantine/core';
import type { EventDetail, EventRow } from '../../../src/contract/dashboard/events.ts';
import { useEvent } from '../../api/events.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { exactTime } from '../../formats/relative-time.ts';
import { DetailDrawer } from '../../later/detail-drawer.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { summaryOf } from './event-summary.ts';
import classes from './events.module.css';

interface Props {
  readonly event: EventRow | undefined;
  readonly onClose: () => void;
}

/** One event, beside the list. */
export function EventDrawer({ event, onClose }: Props) {
  return (
    <DetailDrawer opened={event !== undefined} onClose={onClose} title="Event">
      {event && <Details event={event} />}
    </DetailDrawer>
  );
}

function Details({ event }: { readonly event: EventRow }) {
  const { id, kind, channel, system, key, sender, occurred_at, received_at } = event;
  const detail = useEvent(event);
  return (
    <Stack gap="md">
      <Title order={3} size="h2" className={classes.content ?? ''}>
        {kind}
      </Title>
      <Facts>
        <Fact name="System">{system.name}</Fact>
        {/* The content names the probe. */}
        {channel === 'shield' && sender && <Fact name="Forwarder">{sender}</Fact>}
        <Fact name="Key">{key.name ?? <Mono size="sm">{key.id}</Mono>}</Fact>
        <Fact name="Occurred">{exactTime(Date.parse(occurred_at))}</Fact>
        <Fact name="Received">
          <RelativeTime at={received_at} />
        </Fact>
        <Fact name="ID">
          <Mono size="sm">{id}</Mono>
        </Fact>
      </Facts>
      <Loaded query={detail} skeleton={<CardSkeleton height={200} />}>
        {({ content, source }) =>
          content === null ? (
            <Dimmed>The content of this event is stored, but not shown.</Dimmed>
          ) : (
            <Content content={content as Record<string, unknown>} source={source} />
          )
        }
      </Loaded>
    </Stack>
  );
}

interface ContentProps {
  readonly content: Readonly<Record<string, unknown>>;
  readonly source: EventDetail['source'];
}

function Content({ content, source }: ContentProps) {
  const to = useOrganizationPaths();
  const facts = summaryOf(content);
  return (
    <>
      {facts.length > 0 && (
        <DrawerSection title="Content">
          <Facts>
            {source && (
              <Fact name="Source">
                <TextLink to={to.object('sources', source.id)}>{source.name}</TextLink>
              </Fact>
            )}
            {facts.map(([name, text]) => (
              <Fact key={name} name={name}>
                {text}
              </Fact>
            ))}
          </Facts>
        </DrawerSection>
      )}
      <DrawerSection title="Raw event">
        <Code block className={classes.content ?? ''}>
          {JSON.stringify(content, null, 2)}
        </Code>
      </DrawerSection>
    </>
  );
}
