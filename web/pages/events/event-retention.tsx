import { useState } from 'react';
import type { EventRetention as Retention } from '../../../src/contract/dashboard/events.ts';
import { eventRetentions } from '../../../src/contract/dashboard/retention-days.ts';
import { useChangeEventRetention, useEventRetention } from '../../api/events.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notify } from '../../components/notify.ts';
import { Select } from '../../later/select-field.tsx';

const choices = eventRetentions.map(days => ({ value: String(days), label: `Kept for ${days} days` }));

/** How long events are kept, for those who may change it. */
export function EventRetention() {
  const { data } = useEventRetention();
  const change = useChangeEventRetention();
  const [chosen, setChosen] = useState<Retention>();
  const current = data?.retention_days;
  const shorter = chosen && current ? chosen.retention_days < current : false;
  const choose = (retention_days: Retention['retention_days']) => {
    if (retention_days !== current) setChosen({ retention_days });
  };
  return (
    <>
      <Select
        aria-label="Retention"
        w={180}
        allowDeselect={false}
        disabled={!current}
        data={choices}
        value={current ? String(current) : null}
        onChange={days => choose(Number(days) as Retention['retention_days'])}
      />
      <ConfirmDialog
        opened={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        title={`Keep events for ${chosen?.retention_days ?? current} days?`}
        confirmLabel="Change retention"
        danger={shorter}
        onConfirm={async () => {
          await change.mutateAsync(chosen!);
          notify('Retention changed');
        }}
      >
        {shorter
          ? 'Older events disappear at once, and will be deleted.'
          : 'This applies to events that are received from now on. Earlier ones keep their retention.'}
      </ConfirmDialog>
    </>
  );
}
