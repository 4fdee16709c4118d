import { Button, Switch } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useKeys } from '../../api/keys.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { NotFound } from '../not-found.tsx';
import { KeysTable } from './keys-table.tsx';

const CreateKeyDialog = lazy(() => import('./create-key-dialog.tsx'));

export default function KeysPage() {
  const { canOperate } = useOrganization();
  return canOperate ? <Keys /> : <NotFound />;
}

function Keys() {
  const [creating, setCreating] = useState(false);
  const [all, setAll] = useState(false);
  const keys = useKeys(all ? {} : { status: 'active' });
  const rows = keys.data?.pages.flatMap(page => page.keys) ?? [];
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Scripts, CI and probes sign their requests with a key. Its secrets are shown once, when you create it."
        actions={create}
      />
      <Switch
        mb="sm"
        label="Show revoked and expired keys"
        checked={all}
        onChange={event => setAll(event.currentTarget.checked)}
      />
      <Loaded query={keys}>
        {() =>
          rows.length > 0 ? (
            <KeysTable keys={rows} />
          ) : (
            <EmptyState icon={IconKey} title={all ? 'No keys yet' : 'No active keys'} action={create}>
              Create a dashboard key to read findings and run scans from CI or a SIEM, or a probe key for one
              probe to send events.
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore query={keys} />
      {creating && (
        <Suspense>
          <CreateKeyDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}
