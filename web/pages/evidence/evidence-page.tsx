import { Button, Group, Text } from '@mantine/core';
import { IconFileCertificate, IconPackageExport, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { EvidenceKind, EvidenceList } from '../../../src/contract/dashboard/evidence.ts';
import { useEvidence } from '../../api/evidence.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { AuditPackDialog } from './audit-pack-dialog.tsx';
import { EvidenceTable } from './evidence-table.tsx';
import { inBytes, kindLabels } from './evidence-words.ts';
import { TakeSnapshotButton } from './take-snapshot-button.tsx';
import { UploadDialog } from './upload-dialog.tsx';

const inAddress = ['kind'] as const;
const kinds = Object.keys(kindLabels) as EvidenceKind[];

export default function EvidencePage() {
  const { canOperate } = useOrganization();
  const { values, set } = useUrlFilters(inAddress);
  const kind = kinds.find(one => one === values.kind);
  const evidence = useEvidence(kind ? { kind } : {});
  const rows = evidence.data?.pages.flatMap(page => page.evidence) ?? [];
  const [dialog, setDialog] = useState<'upload' | 'pack'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHeader
        title="Evidence"
        description="Snapshots and files for whoever audits you. Each is kept for six years with its hash, and nobody can change it."
        actions={
          canOperate && (
            <>
              <Button
                variant="default"
                leftSection={<IconPackageExport size={16} aria-hidden />}
                onClick={() => setDialog('pack')}
              >
                Audit pack
              </Button>
              <Button
                variant="default"
                leftSection={<IconUpload size={16} aria-hidden />}
                onClick={() => setDialog('upload')}
              >
                Upload a file
              </Button>
              <TakeSnapshotButton />
            </>
          )
        }
      />
      <Group gap="md" mb="sm" justify="space-between">
        <ToggleGroup
          label="Kind"
          chosen={kind ? [kind] : []}
          onChange={chosen => set({ kind: chosen.find(one => one !== kind) ?? null })}
          options={kinds.map(value => ({ value, label: kindLabels[value] }))}
        />
        <Usage list={evidence.data?.pages[0]} />
      </Group>
      <Loaded query={evidence} skeleton={<TableSkeleton />}>
        {() => (rows.length > 0 ? <EvidenceTable evidence={rows} /> : <Nothing filtered={Boolean(kind)} />)}
      </Loaded>
      <LoadMore query={evidence} />
      {dialog === 'upload' && <UploadDialog onClose={close} />}
      {dialog === 'pack' && <AuditPackDialog onClose={close} />}
    </>
  );
}

function Usage({ list }: { readonly list: EvidenceList | undefined }) {
  return (
    <Text size="sm" c="dimmed" className="tabular" mih={20}>
      {list &&
        `${list.usage.items.toLocaleString()} kept, ${inBytes(list.usage.bytes)} of ${inBytes(list.usage.bytes_limit)}`}
    </Text>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  const { canOperate } = useOrganization();
  if (filtered) {
    return <EmptyState title="No evidence of this kind">Choose another kind, or see all of it.</EmptyState>;
  }
  return (
    <EmptyState
      icon={IconFileCertificate}
      title="No evidence yet"
      {...(canOperate ? { action: <TakeSnapshotButton /> } : {})}
    >
      A snapshot keeps how your controls or a scan stood at a moment, with a hash that proves it. Upload
      policies, contracts and training records beside it. An audit pack puts all of it together.
    </EmptyState>
  );
}
