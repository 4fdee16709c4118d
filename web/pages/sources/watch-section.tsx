import { Text } from '@mantine/core';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { timeUntil } from '../../formats/relative-time.ts';
import { WatchForm } from './watch-form.tsx';

/** Scheduled scans of the source. */
export function WatchSection({ source }: { readonly source: SourceDetail }) {
  const { canOperate } = useOrganization();
  const { watch } = source;
  return (
    <Section
      title="Watch"
      description={
        watch ? (
          <>
            On. Next scan <RelativeTime at={watch.next_scan_at} format={timeUntil} />.
          </>
        ) : (
          'Off. Turn on Watch to scan this source on a schedule.'
        )
      }
    >
      {canOperate ? (
        <WatchForm key={watch?.every_hours ?? 0} source={source} />
      ) : (
        <Text size="sm">An admin can change this.</Text>
      )}
    </Section>
  );
}
