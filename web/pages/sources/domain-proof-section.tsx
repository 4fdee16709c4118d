import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { DomainProof, SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useStartFullScan } from '../../api/scans.ts';
import { useOrganization } from '../../api/session.ts';
import { useCheckProof, useRequestProof } from '../../api/sources.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { Section } from '../../components/section.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';

interface Props {
  readonly source: SourceDetail;
  readonly proof: DomainProof;
}

/** What a full scan takes: a proof that the domain is the organization's, and a fresh second factor. */
export function DomainProofSection({ source, proof }: Props) {
  const { canOperate } = useOrganization();
  const isValid = proof.valid_until !== null && Date.parse(proof.valid_until) > Date.now();
  return (
    <Section
      title="Full scan"
      description="It asks for more, also what a visitor would not: up to 600 requests, and marked text in parameters. So it takes a proof that the domain is yours, 30 days at a time."
    >
      <Stack gap="sm">
        {isValid && (
          <Text size="sm">
            The domain was proven{' '}
            {proof.proven_by === 'dns_txt' ? 'by a DNS record' : 'by a file on the site'}{' '}
            <RelativeTime at={proof.proven_at!} />. The proof ends <RelativeTime at={proof.valid_until!} />.
            Leave the token where it is: it is looked for again when the scan begins.
          </Text>
        )}
        {canOperate ? (
          <Acts source={source} proof={proof} isValid={isValid} />
        ) : (
          <Text size="sm">An admin can prove the domain and start one.</Text>
        )}
      </Stack>
    </Section>
  );
}

function Acts({ source, proof, isValid }: Props & { readonly isValid: boolean }) {
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
          Get a token to publish
        </Button>
      </>
    );
  }
  return (
    <>
      {!isValid && (
        <>
          <Text size="sm">Publish this token in one of two places, then have it checked.</Text>
          <SecretField label="Token" value={proof.token} />
          <SecretField
            label="Either: a DNS record"
            description="Type TXT, with the token as its value, at this name. Covers the host and its subdomains, over HTTPS with a trusted certificate only"
            value={proof.record.name}
          />
          <SecretField
            label="Or: a file"
            description="The token and nothing else, at this URL. Covers this host only. Required for plain HTTP"
            value={proof.url}
          />
        </>
      )}
      <div role="status">
        {check.data && !check.data.found && (
          <Alert color="yellow" variant="light" title="Not found yet">
            DNS records may take some minutes to be seen. The file must answer with status 200 and without a
            redirect.
          </Alert>
        )}
      </div>
      <FormError error={check.error ?? start.error} />
      <Group gap="xs">
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate({ id: source.id })}>
          Check now
        </Button>
        {isValid && source.scan_authorized_at && (
          <Button
            loading={start.isPending}
            onClick={() =>
              start.mutate(source.id, { onSuccess: ({ scan }) => navigate(to.object('scans', scan.id)) })
            }
          >
            Start a full scan
          </Button>
        )}
      </Group>
    </>
  );
}
