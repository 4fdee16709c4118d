import { Button, Group } from '@mantine/core';
import { IconFileCertificate, IconPackageExport, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { EvidenceKind, EvidenceList } from '../../../src/contract/dashboard/evidence.ts';
import { useEvidence } from '../../api/evidence.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { byteSize, counted } from '../../formats/numbers.ts';
import { laterPart } from '../../later/later.ts';
import { kindLabels } from './evidence-labels.ts';
import { EvidenceTable } from './evidence-table.tsx';
import { TakeSnapshotButton } from './take-snapshot-button.tsx';

const UploadDialog = laterPart(() => import('./upload-dialog.tsx'));
const AuditPackDialog = laterPart(() => import('./audit-pack-dialog.tsx'));

const inUrl = ['kind'] as const;
const kinds = Object.keys(kindLabels) as EvidenceKind[];

export default function EvidencePage() {
  const { canOperate } = useOrganization();
  const { values, set } = useUrlFilters(inUrl);
  const kind = kinds.find(each => each === values.kind);
  const evidence = useEvidence(kind ? { kind } : {});
  const rows = evidence.data?.pages.flatMap(page => page.evidence) ?? [];
  const [dialog, setDialog] = useState<'upload' | 'pack'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHeader
        title="Evidence"
        description="Snapshots and files for auditors. Each is kept for six years with its hash and can't be changed."
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
                Upload file
              </Button>
              <TakeSnapshotButton />
            </>
          )
        }
      />
      <Group gap="md" mb="sm" justify="space-between">
        <ToggleGroup
          label="Type"
          chosen={kind ? [kind] : []}
          onChange={chosen => set({ kind: chosen.find(each => each !== kind) ?? null })}
          options={kinds.map(value => ({ value, label: kindLabels[value] }))}
        />
        <Usage list={evidence.data?.pages[0]} />
      </Group>
      <Loaded query={evidence}>
        {() =>
          rows.length > 0 ? <EvidenceTable evidence={rows} /> : <NoEvidence filtered={Boolean(kind)} />
        }
      </Loaded>
      <LoadMore query={evidence} />
      {dialog === 'upload' && <UploadDialog onClose={close} />}
      {dialog === 'pack' && <AuditPackDialog onClose={close} />}
    </>
  );
}

function Usage({ list }: { readonly list: EvidenceList | undefined }) {
  return (
    <Dimmed className="tabular" mih={20}>
      {list &&
        `${counted(list.usage.items, 'item')}, ${byteSize(list.usage.bytes)} of ${byteSize(list.usage.bytes_limit)} used`}
    </Dimmed>
  );
}

function NoEvidence({ filtered }: { readonly filtered: boolean }) {
  const { canOperate } = useOrganization();
  if (filtered) {
    return <EmptyState title="No evidence of this type">Remove the filter to see all evidence.</EmptyState>;
  }
  return (
    <EmptyState
      icon={IconFileCertificate}
      title="No evidence yet"
      {...(canOperate ? { action: <TakeSnapshotButton /> } : {})}
    >
      Snapshots record your controls or a scan at a point in time, with a hash. Upload policies, contracts and
      training records too. An audit pack bundles all of it for an auditor.
    </EmptyState>
  );
}
