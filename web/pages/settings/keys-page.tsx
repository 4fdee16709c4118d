import { Button, Stack, Switch } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useKeys } from '../../api/keys.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
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
  const keys = useKeys();
  const [minting, setMinting] = useState(false);
  const [all, setAll] = useState(false);
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
      <Loaded query={keys}>
        {list => {
          const shown = all ? list : list.filter(key => key.status === 'active');
          return (
            <Stack gap="sm">
              {shown.length < list.length || all ? (
                <Switch
                  label="Show revoked and expired keys"
                  checked={all}
                  onChange={event => setAll(event.currentTarget.checked)}
                />
              ) : null}
              {shown.length > 0 ? (
                <KeysTable keys={shown} />
              ) : (
                <EmptyState icon={IconKey} title="No active key" action={mint}>
                  A dashboard key lets your CI or SIEM read findings and start scans. A probe key lets one
                  probe push what it sees, and nothing else.
                </EmptyState>
              )}
            </Stack>
          );
        }}
      </Loaded>
      {minting && (
        <Suspense>
          <MintDialog onClose={() => setMinting(false)} />
        </Suspense>
      )}
    </>
  );
}
