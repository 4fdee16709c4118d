import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useStartScan } from '../../api/scans.ts';
import { useAuthorizeScan } from '../../api/sources.ts';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { CredentialForm } from './credential-form.tsx';
import { RiskStatement } from './risk-statement.tsx';
import type { StepName } from './set-up.ts';
import { TestButton } from './test-button.tsx';
import { WatchForm } from './watch-form.tsx';

interface Props {
  readonly name: StepName;
  readonly source: SourceDetail;
  readonly onSkip: () => void;
}

/** What is to be done at one step. */
export function SetUpStep({ name, source, onSkip }: Props) {
  if (name === 'risk') return <RiskStatement source={source} />;
  if (name === 'credential') {
    return (
      <Stack gap="xs">
        <Text size="sm">
          {source.kind === 'website'
            ? 'Only where visitors have to log in by HTTP, or where a header opens the site.'
            : 'Give it a role that may read settings and catalogs, and as little else as possible.'}
        </Text>
        <CredentialForm source={source} />
        {source.kind === 'website' && <Skip onSkip={onSkip}>It asks for none</Skip>}
      </Stack>
    );
  }
  if (name === 'test') return <TestButton source={source} />;
  if (name === 'authorize') return <Authorize source={source} />;
  if (name === 'scan') return <FirstScan source={source} />;
  return (
    <Stack gap="xs">
      <Text size="sm">It is scanned again and again from then on, and you are shown what changes.</Text>
      <Running source={source} />
      <Group gap="xs" align="flex-end">
        <WatchForm source={source} />
        <Skip onSkip={onSkip}>Not now</Skip>
      </Group>
    </Stack>
  );
}

function Skip({ onSkip, children }: { readonly onSkip: () => void; readonly children: string }) {
  return (
    <Button variant="subtle" w="fit-content" onClick={onSkip}>
      {children}
    </Button>
  );
}

function Authorize({ source }: { readonly source: SourceDetail }) {
  const authorize = useAuthorizeScan();
  return (
    <Stack gap="xs">
      <Text size="sm">
        You allow safe scans of {source.host}, by people, by keys and by Watch. Disconnecting takes it back.
      </Text>
      <FormError error={authorize.error} />
      <Button
        w="fit-content"
        loading={authorize.isPending}
        onClick={() => authorize.mutate({ id: source.id })}
      >
        Authorize scans
      </Button>
    </Stack>
  );
}

function FirstScan({ source }: { readonly source: SourceDetail }) {
  const start = useStartScan();
  return (
    <Stack gap="xs">
      <Text size="sm">A safe scan only reads, and takes less than a minute.</Text>
      <FormError error={start.error} />
      <Button
        w="fit-content"
        loading={start.isPending}
        onClick={() => start.mutate({ source_id: source.id })}
      >
        Start the first scan
      </Button>
    </Stack>
  );
}

/** The first scan goes on while Watch is thought about. */
function Running({ source }: { readonly source: SourceDetail }) {
  const to = useOrganizationPaths();
  const scan = source.last_scan;
  if (!scan || scan.finished_at) return null;
  return (
    <Group gap="md">
      <ScanProgress scan={scan} />
      <Button component={Link} to={to.object('scans', scan.id)} variant="subtle" size="xs">
        Follow the scan
      </Button>
    </Group>
  );
}
