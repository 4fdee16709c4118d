import type { SentMessage } from '../../../src/contract/dashboard/notifications.ts';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import type { Column } from '../../components/table-column.ts';
import { messageState, purposeLabels } from './notification-labels.ts';

const columns: Column<SentMessage>[] = [
  { header: 'Message', render: ({ purpose }) => purposeLabels[purpose] },
  { header: 'Status', render: messageState },
  { header: 'Time', render: ({ sent_at, created_at }) => <RelativeTime at={sent_at ?? created_at} /> },
];

/** The last messages to the person, so that a missing one can be explained. */
export function SentSection({ messages }: { readonly messages: readonly SentMessage[] }) {
  if (messages.length === 0) return null;
  return (
    <Section title="Last messages">
      <DataTable caption="Last messages" columns={columns} rows={messages} rowKey={({ id }) => id} />
    </Section>
  );
}
