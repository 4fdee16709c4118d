import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useStartScan } from '../../api/scans.ts';
import { useAuthorizeScan } from '../../api/sources.ts';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { ConnectionTest } from './connection-test.tsx';
import { CredentialForm } from './credential-form.tsx';
import { ProbeStep } from './probe-step.tsx';
import { RiskStatement } from './risk-statement.tsx';
import type { StepName } from './setup-steps.ts';
import { WatchForm } from './watch-form.tsx';

interface Props {
  readonly name: StepName;
  readonly source: SourceDetail;
  readonly onSkip: () => void;
}

/** The form of one setup step. */
export function SetupStep({ name, source, onSkip }: Props) {
  switch (name) {
    case 'risk':
      return <RiskStatement source={source} />;
    case 'credential':
      return <CredentialStep source={source} onSkip={onSkip} />;
    case 'test':
      return <ConnectionTest source={source} />;
    case 'authorize':
      return <AuthorizeStep source={source} />;
    case 'scan':
      return <FirstScanStep source={source} />;
    case 'watch':
      return <WatchStep source={source} onSkip={onSkip} />;
    case 'probe':
      return <ProbeStep source={source} />;
  }
}

function CredentialStep({ source, onSkip }: Omit<Props, 'name'>) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {source.kind === 'website'
          ? 'Only for sites that require HTTP Basic authentication or a request header.'
          : 'Use a role that can read settings and catalogs, and as little else as possible.'}
      </Text>
      <CredentialForm source={source} />
      {source.kind === 'website' && <SkipButton onSkip={onSkip}>Skip: no login needed</SkipButton>}
    </Stack>
  );
}

function SkipButton({ onSkip, children }: { readonly onSkip: () => void; readonly children: string }) {
  return (
    <Button variant="subtle" w="fit-content" onClick={onSkip}>
      {children}
    </Button>
  );
}

function AuthorizeStep({ source }: { readonly source: SourceDetail }) {
  const authorize = useAuthorizeScan();
  return (
    <Stack gap="xs">
      <Text size="sm">
        {source.connection_mode === 'probe'
          ? `Allows a probe of this system to assess ${source.host}.`
          : `Allows people, API keys and Watch to run safe scans of ${source.host}.`}{' '}
        To revoke this, disconnect the source.
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

function FirstScanStep({ source }: { readonly source: SourceDetail }) {
  const start = useStartScan();
  return (
    <Stack gap="xs">
      <Text size="sm">Safe scans are read-only and take less than a minute.</Text>
      <FormError error={start.error} />
      <Button
        w="fit-content"
        loading={start.isPending}
        onClick={() => start.mutate({ source_id: source.id })}
      >
        Run first scan
      </Button>
    </Stack>
  );
}

function WatchStep({ source, onSkip }: Omit<Props, 'name'>) {
  return (
    <Stack gap="xs">
      <Text size="sm">Scans run automatically, on a schedule that you choose.</Text>
      <FirstScanProgress source={source} />
      <Group gap="xs" align="flex-end">
        <WatchForm source={source} />
        <SkipButton onSkip={onSkip}>Not now</SkipButton>
      </Group>
    </Stack>
  );
}

function FirstScanProgress({ source }: { readonly source: SourceDetail }) {
  const to = useOrganizationPaths();
  const scan = source.last_scan;
  if (!scan || scan.finished_at) return null;
  return (
    <Group gap="md">
      <ScanProgress scan={scan} />
      <Button component={Link} to={to.object('scans', scan.id)} variant="subtle" size="xs">
        View scan
      </Button>
    </Group>
  );
}
