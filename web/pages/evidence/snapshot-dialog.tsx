import { Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTakeSnapshot } from '../../api/evidence.ts';
import { useScans } from '../../api/scans.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError } from '../../forms/form-error.tsx';

const ended = { status: 'completed,failed,canceled' };
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Keeps how the controls, or a scan that has ended, stand at this moment. */
export function SnapshotDialog({ onClose }: { readonly onClose: () => void }) {
  const take = useTakeSnapshot();
  const [kind, setKind] = useState<'controls' | 'scan'>('controls');
  const [scanId, setScanId] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === 'scan' && !scanId) return;
    take.mutate(kind === 'scan' && scanId ? { kind, scan_id: scanId } : { kind: 'controls' }, {
      onSuccess: ({ evidence }) => {
        succeed(`${evidence.name} is kept as evidence`);
        onClose();
      },
    });
  };
  return (
    <Modal opened onClose={onClose} title="Take a snapshot" zIndex={300}>
      <form onSubmit={submit}>
        <Stack>
          <Text>
            A snapshot is a JSON document with its time and SHA-256. It is kept for six years, and nobody can
            change or delete it until then.
          </Text>
          <Radio.Group label="Of what" value={kind} onChange={value => setKind(value as typeof kind)}>
            <Stack gap="xs" mt="xs">
              <Radio
                value="controls"
                label="All controls"
                description="Their states, and the checks, sources, notes and attestations behind them"
              />
              <Radio
                value="scan"
                label="A scan that has ended"
                description="Its runs, and what is unresolved on its sources"
              />
            </Stack>
          </Radio.Group>
          {kind === 'scan' && <ScanChoice value={scanId} onChange={setScanId} />}
          <FormError error={take.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={take.isPending}>
              Take snapshot
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ChoiceProps {
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** The newest scans that have ended. */
function ScanChoice({ value, onChange }: ChoiceProps) {
  const scans = useScans(ended);
  const rows = scans.data?.pages.flatMap(page => page.scans) ?? [];
  return (
    <Select
      label="Scan"
      placeholder={scans.data && rows.length === 0 ? 'No scan has ended yet' : 'Choose a scan'}
      required
      searchable
      comboboxProps={{ zIndex: 400 }}
      data={rows.map(({ id, target, created_at }) => ({
        value: id,
        label: `${target.name}, ${exact.format(new Date(created_at))}`,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
