import { useState } from 'react';
import type { ScanRetention as Retention } from '../../../src/contract/dashboard/retention.ts';
import { scanRetentions } from '../../../src/contract/dashboard/retention-days.ts';
import { useChangeScanRetention, useScanRetention, useScanRetentionPreview } from '../../api/scans.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notify } from '../../components/notify.ts';
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
  return (
    <>
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
      <ConfirmDialog
        opened={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        title={days === null ? 'Keep all scans?' : `Keep scans for ${days} days?`}
        confirmLabel="Change retention"
        danger={days !== null}
        onConfirm={async () => {
          await change.mutateAsync({ retention_days: days });
          notify('Retention changed');
        }}
      >
        {chosen === undefined || days === null ? 'No scan will be deleted.' : <Effect days={chosen} />}
      </ConfirmDialog>
    </>
  );
}

function Effect({ days }: { readonly days: string }) {
  const { data } = useScanRetentionPreview(days);
  const old = data?.would_delete;
  return (
    <>
      Older scans will be deleted with the results of their detectors, for the first time in a week. Until
      then, you can undo this change. The last scan of each source stays, and so do scans with evidence.{' '}
      {old && `Today it would delete ${old.has_more ? 'more than ' : ''}${counted(old.scans, 'scan')}.`}
    </>
  );
}
