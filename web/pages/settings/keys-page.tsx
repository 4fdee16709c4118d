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

const MintDialog = lazy(() => import('./mint-dialog.tsx'));

export default function KeysPage() {
  const { canOperate } = useOrganization();
  return canOperate ? <Keys /> : <NotFound />;
}

function Keys() {
  const [minting, setMinting] = useState(false);
  const [all, setAll] = useState(false);
  const keys = useKeys(all ? {} : { status: 'active' });
  const rows = keys.data?.pages.flatMap(page => page.keys) ?? [];
  const mint = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMinting(true)}>
      Mint a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="What machines sign their requests with. A key’s secrets are shown once, when it is minted: nothing can show them again."
        actions={mint}
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
            <EmptyState icon={IconKey} title="No active key" action={mint}>
              A dashboard key lets your CI or SIEM read findings and start scans. A probe key lets one probe
              push what it sees, and nothing else.
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore query={keys} />
      {minting && (
        <Suspense>
          <MintDialog onClose={() => setMinting(false)} />
        </Suspense>
      )}
    </>
  );
}
