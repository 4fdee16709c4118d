import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { Facts } from '../../components/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { CredentialForm } from './credential-form.tsx';
import { TestButton } from './test-button.tsx';

/** What is agreed and known about connecting to it. A credential is never shown. */
export function ConnectionSection({ source }: { readonly source: SourceDetail }) {
  const { canOperate } = useOrganization();
  const [storing, setStoring] = useState(false);
  const { risk_accepted: risk, credential, scan_authorized_at } = source;
  return (
    <Section title="Connection" description={source.state.allows}>
      <Facts>
        <dt>Risk statement</dt>
        <dd>
          {risk ? (
            <>
              Version {risk.statement_version} accepted <RelativeTime at={risk.accepted_at} />
            </>
          ) : (
            'Not accepted'
          )}
        </dd>
        <dt>Credential</dt>
        <dd>
          {credential.stored ? (
            <>
              {credential.stored.type}, stored <RelativeTime at={credential.stored.stored_at} />
            </>
          ) : credential.types.length === 0 ? (
            'With the probe'
          ) : (
            'None'
          )}
        </dd>
        <dt>Scans</dt>
        <dd>
          {scan_authorized_at ? (
            <>
              Authorized <RelativeTime at={scan_authorized_at} />
            </>
          ) : (
            'Not authorized'
          )}
        </dd>
      </Facts>
      {canOperate && source.connection_mode === 'direct' && (
        <Group gap="xs" mt="md" align="flex-end">
          <TestButton source={source} variant="default" />
          <Button variant="default" onClick={() => setStoring(true)}>
            {credential.stored ? 'Replace the credential' : 'Store a credential'}
          </Button>
        </Group>
      )}
      {canOperate && source.connection_mode === 'probe' && (
        <Text size="sm" c="dimmed" mt="md">
          The probe connects to it, and sends what it sees.
        </Text>
      )}
      <Modal opened={storing} onClose={() => setStoring(false)} title="Store a credential">
        <CredentialForm source={source} onStored={() => setStoring(false)} />
      </Modal>
    </Section>
  );
}
