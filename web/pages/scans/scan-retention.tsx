import { Stack } from '@mantine/core';
import { useState } from 'react';
import type {
  ScanRetention as Retention,
  ScanRetentionState,
} from '../../../src/contract/dashboard/retention.ts';
import { scanRetentionDelay, scanRetentions } from '../../../src/contract/dashboard/retention-days.ts';
import { useChangeScanRetention, useScanRetention, useScanRetentionPreview } from '../../api/scans.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { notify } from '../../components/notify.ts';
import { dateText, day } from '../../formats/dates.ts';
import { counted } from '../../formats/numbers.ts';
import { Select } from '../../later/select-field.tsx';

const always = 'always';
const choices = [
  ...scanRetentions.map(days => ({ value: String(days), label: `Kept for ${days} days` })),
  { value: always, label: 'Always kept' },
];

/** How long scans are kept, for those who may change it. */
export function ScanRetention() {
  const { data } = useScanRetention();
  const change = useChangeScanRetention();
  const [chosen, setChosen] = useState<string>();
  const current = data && String(data.retention_days ?? always);
  const days = chosen === always ? null : (Number(chosen) as Retention['retention_days']);
  const before = data?.retention_days ?? null;
  const isShorter = days !== null && (before === null || days < before);
  return (
    <Stack gap={2}>
      <Select
        aria-label="Retention"
        w={180}
        allowDeselect={false}
        disabled={!data}
        data={choices}
        value={current ?? null}
        onChange={value => {
          if (value && value !== current) setChosen(value);
        }}
      />
      {data && <Pending state={data} />}
      <ConfirmDialog
        opened={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        title={days === null ? 'Keep all scans?' : `Keep scans for ${days} days?`}
        confirmLabel="Change retention"
        danger={isShorter}
        onConfirm={async () => {
          await change.mutateAsync({ retention_days: days });
          notify('Retention changed');
        }}
      >
        {chosen === undefined || days === null ? (
          'No scan will be deleted.'
        ) : isShorter ? (
          <Effect days={chosen} />
        ) : (
          `Scans are kept for ${days} days instead of ${before}, so no additional scans are deleted. Until ${firstDeletion()}, none are.`
        )}
      </ConfirmDialog>
    </Stack>
  );
}

/** The day from which a change applies that is made now. */
const firstDeletion = () => dateText(new Date(Date.now() + scanRetentionDelay * day).toISOString());

/** A change that does not apply yet: meanwhile, no scan is deleted. */
function Pending({ state: { retention_days, applies_at } }: { readonly state: ScanRetentionState }) {
  if (retention_days === null || Date.parse(applies_at) <= Date.now()) return null;
  return (
    <Dimmed size="xs" maw={180}>
      Applies from {dateText(applies_at)} on. No scans are deleted until then.
    </Dimmed>
  );
}

function Effect({ days }: { readonly days: string }) {
  const { data } = useScanRetentionPreview(days);
  const old = data?.would_delete;
  return (
    <>
      From {firstDeletion()} on, older scans are deleted with the results of their detectors. Until then, none
      are, and you can undo this change. The last scan of each source stays, and so do scans with evidence.{' '}
      {old && `Today it would delete ${old.has_more ? 'more than ' : ''}${counted(old.scans, 'scan')}.`}
    </>
  );
}
