import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { Dialog } from '../../later/dialog.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { CredentialForm } from './credential-form.tsx';
import { FailedTest } from './failed-test.tsx';

/** How Parapet connects to the source. A credential is never shown. */
export function ConnectionSection({ source }: { readonly source: SourceDetail }) {
  const { canOperate } = useOrganization();
  const [storing, setStoring] = useState(false);
  const { risk_accepted: risk, credential, scan_authorized_at } = source;
  const storeLabel = credential.stored ? 'Replace credential' : 'Add credential';
  return (
    <Section title="Connection" description={source.state.allows}>
      <Facts>
        <Fact name="Risk statement">
          {risk ? (
            <>
              Version {risk.statement_version} accepted <RelativeTime at={risk.accepted_at} />
            </>
          ) : (
            'Not accepted'
          )}
        </Fact>
        <Fact name="Credential">
          <StoredCredential credential={credential} />
        </Fact>
        <Fact name="Scans">
          {scan_authorized_at ? (
            <>
              Authorized <RelativeTime at={scan_authorized_at} />
            </>
          ) : (
            'Not authorized'
          )}
        </Fact>
      </Facts>
      {source.failed_test && <FailedTest test={source.failed_test} />}
      {canOperate && (
        <Group gap="xs" mt="md" align="flex-end">
          <ConnectionTest source={source} variant="default" />
          <Button variant="default" onClick={() => setStoring(true)}>
            {storeLabel}
          </Button>
        </Group>
      )}
      <Dialog opened={storing} onClose={() => setStoring(false)} title={storeLabel}>
        <CredentialForm source={source} onStored={() => setStoring(false)} />
      </Dialog>
    </Section>
  );
}

function StoredCredential({ credential }: Pick<SourceDetail, 'credential'>) {
  const { stored } = credential;
  if (!stored) return 'None';
  return (
    <>
      {stored.type}, stored <RelativeTime at={stored.stored_at} />
    </>
  );
}
