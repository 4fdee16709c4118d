import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadAfterStepUp } from '../../api/download.ts';
import { useEvidenceUrls } from '../../api/evidence.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { day, utcDate } from '../../formats/dates.ts';
import { TextField } from '../../forms/text-field.tsx';
import { Dialog } from '../../later/dialog.tsx';

const daysAgo = (days: number) => utcDate(Date.now() - days * day);

const periods = [
  ['Last 30 days', 30],
  ['Last 90 days', 90],
  ['Last year', 365],
] as const;

/** Downloads everything from a period as one file. */
export default function AuditPackDialog({ onClose }: { readonly onClose: () => void }) {
  const urls = useEvidenceUrls();
  const [from, setFrom] = useState(() => daysAgo(365));
  const [until, setUntil] = useState(() => daysAgo(0));
  const today = daysAgo(0);
  const isPeriod = from !== '' && until !== '' && from <= until && from <= today;
  const choose = (days: number) => {
    setFrom(daysAgo(days));
    setUntil(today);
  };
  const label = 'Download audit pack';
  const icon = <IconDownload size={16} aria-hidden />;
  return (
    <Dialog opened onClose={onClose} title="Audit pack" zIndex={300}>
      <Stack>
        <Text>
          One ZIP file for an auditor: a PDF report, the same data as JSON, the evidence and audit log of the
          period, and the hash of every file. The download is recorded in the audit log.
        </Text>
        <Group gap="md" role="group" aria-label="Periods">
          {periods.map(([label, days]) => (
            <QuietButton key={label} onClick={() => choose(days)}>
              {label}
            </QuietButton>
          ))}
        </Group>
        <Group grow align="flex-start">
          <TextField
            label="Start date (UTC)"
            type="date"
            required
            max={until < today ? until : today}
            value={from}
            message={from > today ? 'Choose today or earlier' : undefined}
            onChange={setFrom}
          />
          <TextField
            label="End date (UTC)"
            type="date"
            required
            min={from}
            value={until}
            message={until < from ? 'Choose the start date or later' : undefined}
            onChange={setUntil}
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
              onClick={downloadAfterStepUp}
              leftSection={icon}
            >
              {label}
            </Button>
          ) : (
            <Button disabled leftSection={icon}>
              {label}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
