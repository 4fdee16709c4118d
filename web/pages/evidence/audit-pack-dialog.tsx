import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadSteppedUp } from '../../api/download.ts';
import { useEvidenceUrls } from '../../api/evidence.ts';
import { QuietButton } from '../../components/quiet-button.tsx';

const day = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);

const periods = [
  ['Last 30 days', 30],
  ['Last 90 days', 90],
  ['Last year', 365],
] as const;

/** Everything of a period in one file, downloaded by the browser itself. */
export function AuditPackDialog({ onClose }: { readonly onClose: () => void }) {
  const urls = useEvidenceUrls();
  const [from, setFrom] = useState(() => daysAgo(365));
  const [until, setUntil] = useState(() => daysAgo(0));
  const isPeriod = from !== '' && until !== '' && from <= until && from <= daysAgo(0);
  return (
    <Modal opened onClose={onClose} title="Audit pack" zIndex={300}>
      <Stack>
        <Text>
          One ZIP file for an auditor: a PDF report, the same facts as JSON, the evidence of the period, its
          part of the audit log, and the hash of each file. That you made it is in the audit log.
        </Text>
        <Group gap="md" role="group" aria-label="Periods">
          {periods.map(([label, days]) => (
            <QuietButton
              key={label}
              onClick={() => {
                setFrom(daysAgo(days));
                setUntil(daysAgo(0));
              }}
            >
              {label}
            </QuietButton>
          ))}
        </Group>
        <Group grow align="flex-start">
          <TextInput
            label="From"
            type="date"
            required
            max={until < daysAgo(0) ? until : daysAgo(0)}
            value={from}
            error={from > daysAgo(0) ? 'Not in the future' : undefined}
            onChange={event => setFrom(event.currentTarget.value)}
          />
          <TextInput
            label="Until"
            type="date"
            required
            min={from}
            value={until}
            error={until < from ? 'Not before the first day' : undefined}
            onChange={event => setUntil(event.currentTarget.value)}
          />
        </Group>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {isPeriod ? (
            <Button
              component="a"
              href={urls.auditPack({ from, until })}
              download
              onClick={downloadSteppedUp}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              Download audit pack
            </Button>
          ) : (
            <Button disabled leftSection={<IconDownload size={16} aria-hidden />}>
              Download audit pack
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
