import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTakeSnapshot } from '../../api/evidence.ts';
import { useScans } from '../../api/scans.ts';
import { notify } from '../../components/notify.ts';
import { dateTimeText } from '../../formats/dates.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Select } from '../../later/select-field.tsx';

const finished = { status: 'completed,failed,canceled' };

/** Saves the current state of all controls, or of a finished scan, as evidence. */
export default function SnapshotDialog({ onClose }: { readonly onClose: () => void }) {
  const take = useTakeSnapshot();
  const [kind, setKind] = useState<'controls' | 'scan'>('controls');
  const [scanId, setScanId] = useState<string | null>(null);
  const submit = () => {
    if (kind === 'scan' && !scanId) return;
    take.mutate(kind === 'scan' && scanId ? { kind, scan_id: scanId } : { kind: 'controls' }, {
      onSuccess: ({ evidence }) => {
        notify(`${evidence.name} saved as evidence`);
        onClose();
      },
    });
  };
  return (
    <FormDialog
      title="Take snapshot"
      submitLabel="Take snapshot"
      mutation={take}
      onSubmit={submit}
      onClose={onClose}
      aboveDrawer
    >
      <Text>
        A snapshot is a JSON document with the time and a SHA-256 hash. It is kept for six years and can't be
        changed or deleted before then.
      </Text>
      <Radio.Group label="Snapshot of" value={kind} onChange={value => setKind(value as typeof kind)}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="controls"
            label="All controls"
            description="Status of every control, with its checks, sources, notes and attestations"
          />
          <Radio
            value="scan"
            label="A finished scan"
            description="Its runs, and the unresolved findings of its sources"
          />
        </Stack>
      </Radio.Group>
      {kind === 'scan' && <ScanSelect value={scanId} onChange={setScanId} />}
    </FormDialog>
  );
}

interface SelectProps {
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** The newest finished scans. */
function ScanSelect({ value, onChange }: SelectProps) {
  const scans = useScans(finished);
  const rows = scans.data?.pages.flatMap(page => page.scans) ?? [];
  return (
    <Select
      label="Scan"
      placeholder={scans.data && rows.length === 0 ? 'No finished scans yet' : 'Choose a scan'}
      required
      searchable
      comboboxProps={{ zIndex: 400 }}
      data={rows.map(({ id, target, created_at }) => ({
        value: id,
        label: `${target.name}, ${dateTimeText(created_at)}`,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
