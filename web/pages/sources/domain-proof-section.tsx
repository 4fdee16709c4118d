import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { DomainProof, SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useStartFullScan } from '../../api/scans.ts';
import { useOrganization } from '../../api/session.ts';
import { useCheckProof, useRequestProof } from '../../api/sources.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';

interface Props {
  readonly source: SourceDetail;
  readonly proof: DomainProof;
}

/** Full scans, which require a proof of domain. */
export function DomainProofSection({ source, proof }: Props) {
  const { canOperate } = useOrganization();
  const isValid = proof.valid_until !== null && Date.parse(proof.valid_until) > Date.now();
  return (
    <Section
      title="Full scan"
      description="Sends up to 600 requests, including test input. Requires proof of domain, valid 30 days."
    >
      <Stack gap="sm">
        {isValid && (
          <Text size="sm">
            Domain proven by {proof.proven_by === 'dns_txt' ? 'DNS record' : 'file'}{' '}
            <RelativeTime at={proof.proven_at!} />. The proof expires <RelativeTime at={proof.valid_until!} />
            . Keep the token published: it is checked again when a scan starts.
          </Text>
        )}
        {canOperate ? (
          <Actions source={source} proof={proof} isValid={isValid} />
        ) : (
          <Text size="sm">An admin can prove the domain and run full scans.</Text>
        )}
      </Stack>
    </Section>
  );
}

function Actions({ source, proof, isValid }: Props & { readonly isValid: boolean }) {
  const request = useRequestProof();
  const check = useCheckProof();
  const start = useStartFullScan();
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  if (proof.token === null) {
    return (
      <>
        <FormError error={request.error} />
        <Button
          variant="default"
          w="fit-content"
          loading={request.isPending}
          onClick={() => request.mutate({ id: source.id })}
        >
          Get token
        </Button>
      </>
    );
  }
  return (
    <>
      {!isValid && <Instructions proof={proof} token={proof.token} />}
      <div role="status">
        {check.data && !check.data.found && (
          <Alert color="yellow" variant="light" title="Token not found">
            DNS changes can take a few minutes. The file must be served with status 200 and without a
            redirect.
          </Alert>
        )}
      </div>
      <FormError error={check.error ?? start.error} />
      <Group gap="xs">
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate({ id: source.id })}>
          Check token
        </Button>
        {isValid && source.scan_authorized_at && (
          <Button
            loading={start.isPending}
            onClick={() =>
              start.mutate(source.id, { onSuccess: ({ scan }) => navigate(to.object('scans', scan.id)) })
            }
          >
            Run full scan
          </Button>
        )}
      </Group>
    </>
  );
}

function Instructions({ proof, token }: { readonly proof: DomainProof; readonly token: string }) {
  return (
    <>
      <Text size="sm">Publish this token in one of two places, then check it.</Text>
      <CopyField label="Token" value={token} />
      <CopyField
        label="Option 1: DNS record"
        description="A TXT record with this name and the token as its value. Covers the host and its subdomains, but only over HTTPS with a trusted certificate."
        value={proof.record.name}
      />
      <CopyField
        label="Option 2: file"
        description="A file at this URL that contains only the token. Covers this host only. Required for plain HTTP."
        value={proof.url}
      />
    </>
  );
}
