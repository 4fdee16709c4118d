import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useStartScan } from '../../api/scans.ts';
import { useSources } from '../../api/sources.ts';
import { useSystemNames } from '../../api/system-names.ts';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** A safe scan of a whole system or of one source. */
export function StartScanDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  const start = useStartScan();
  const systems = useSystemNames();
  const [systemId, setSystemId] = useState<string | null>(null);
  const [sourceId, setSourceId] = useState<string | null>(null);
  const sources = useSources(systemId ? { system_id: systemId } : {});
  const ready = sources.data?.pages
    .flatMap(page => page.sources)
    .filter(source => source.scan_authorized_at !== null && source.connection_mode === 'direct');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(sourceId ? { source_id: sourceId } : { system_id: systemId! }, {
      onSuccess: ({ scan }) => navigate(to.object('scans', scan.id)),
    });
  };
  return (
    <Modal opened onClose={onClose} title="Start a safe scan">
      <form onSubmit={submit}>
        <Stack>
          <Text>
            It only reads: at most 60 requests to a website, one at a time, and catalogs of a database.
          </Text>
          <Select
            label="System"
            placeholder={
              systems.data?.size === 0 ? 'There is no system yet: add one first' : 'Choose a system'
            }
            searchable
            required
            data={[...(systems.data ?? [])].map(([value, label]) => ({ value, label }))}
            value={systemId}
            onChange={value => {
              setSystemId(value);
              setSourceId(null);
            }}
          />
          <Select
            label="Source"
            description="Only those that are authorized are listed."
            placeholder="All of the system"
            clearable
            searchable
            disabled={!systemId}
            data={(ready ?? []).map(({ id, name, host }) => ({ value: id, label: `${name} (${host})` }))}
            value={sourceId}
            onChange={setSourceId}
            nothingFoundMessage="No source of it is authorized"
          />
          <FormError error={start.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={start.isPending} disabled={!systemId}>
              Start scan
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
