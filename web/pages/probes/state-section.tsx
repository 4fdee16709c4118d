import { Stack } from '@mantine/core';
import type { ProbeDetail } from '../../../src/contract/dashboard/probes.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { counted, intervalText } from '../../formats/numbers.ts';
import { ProbeAlert } from './probe-alert.tsx';
import { SpoolText } from './probe-texts.tsx';

/** Whether the probe reports, and what it has not sent. */
export function StateSection({ probe }: { readonly probe: ProbeDetail }) {
  const { last_seen_at, interval_seconds, started_at, first_seen_at } = probe;
  const { spool, dropped, ignored } = probe;
  return (
    <Section title="Reports">
      <Stack gap="md">
        <ProbeAlert probe={probe} />
        <Facts>
          <Fact name="Last seen">
            <RelativeTime at={last_seen_at} />
          </Fact>
          {interval_seconds > 0 && <Fact name="Reports">{intervalText(interval_seconds)}</Fact>}
          <Fact name="Last started">
            <RelativeTime at={started_at} />
          </Fact>
          <Fact name="First seen">
            <RelativeTime at={first_seen_at} />
          </Fact>
          <Fact name="Spool">
            <SpoolText spool={spool} />
          </Fact>
          <Fact name="Set aside">
            {spool.set_aside === 0
              ? 'None'
              : `${counted(spool.set_aside, 'event')} that the service refused. See the log of the probe.`}
          </Fact>
          <Fact name="Dropped">
            {dropped === 0
              ? 'None'
              : `${counted(dropped, 'event')}, because the spool or the disk was full, or they were too old`}
          </Fact>
          <Fact name="Ignored">
            {ignored.count === 0 ? (
              'None'
            ) : (
              <>
                {counted(ignored.count, 'report')}
                {ignored.at && (
                  <>
                    , the last <RelativeTime at={ignored.at} />
                  </>
                )}
                . {ignored.reason}
              </>
            )}
          </Fact>
        </Facts>
      </Stack>
    </Section>
  );
}
