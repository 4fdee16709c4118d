import { Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useStartScan } from '../../api/scans.ts';
import { useSources } from '../../api/sources.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { SystemField } from '../../forms/system-field.tsx';
import { Select } from '../../later/select-field.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** Runs a safe scan of a system or of one of its sources. */
export default function RunScanDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  const start = useStartScan();
  const [systemId, setSystemId] = useState<string | null>(null);
  const [sourceId, setSourceId] = useState<string | null>(null);
  const sources = useSources(systemId ? { system_id: systemId } : {});
  const authorized = (sources.data?.pages ?? [])
    .flatMap(page => page.sources)
    .filter(source => source.scan_authorized_at !== null && source.connection_mode === 'direct');
  const submit = () =>
    start.mutate(sourceId ? { source_id: sourceId } : { system_id: systemId! }, {
      onSuccess: ({ scan }) => navigate(to.object('scans', scan.id)),
    });
  return (
    <FormDialog
      title="Run safe scan"
      submitLabel="Run scan"
      mutation={start}
      disabled={!systemId}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>
        Safe scans are read-only: at most 60 requests to a website, one at a time, and queries of a database's
        catalogs.
      </Text>
      <SystemField
        value={systemId}
        error={start.error}
        onChange={value => {
          setSystemId(value);
          setSourceId(null);
        }}
      />
      <Select
        label="Source"
        description="Sources with authorized scans"
        placeholder="All sources of the system"
        clearable
        searchable
        disabled={!systemId}
        data={authorized.map(({ id, name, host }) => ({ value: id, label: `${name} (${host})` }))}
        value={sourceId}
        onChange={setSourceId}
        nothingFoundMessage="No authorized sources found"
      />
    </FormDialog>
  );
}
