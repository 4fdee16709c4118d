import { Stack, Text } from '@mantine/core';
import type { ShieldDetail } from '../../../src/contract/dashboard/shield.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { LocalAddressWarning } from '../../components/local-address-warning.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { brand, serviceUrl } from '../../deployment.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { serviceYaml } from '../probes/probe-block.ts';

/** What to run on the host of the firewall. */
export function ShieldSetup({ host }: { readonly host: string }) {
  const to = useOrganizationPaths();
  return (
    <Stack gap="sm">
      <Text size="sm">
        No firewall has reported a request for {host} yet. On the host of the firewall, with a{' '}
        <TextLink to={to.section('settings/keys')} underline="always">
          probe key
        </TextLink>{' '}
        of this system in /etc/parapet/shield-key.json and <code>parapet-probe</code> in PATH (
        <code>npm run build:probe</code> makes the file <code>dist/parapet-probe</code> in a checkout of
        Parapet; copy it to <code>/usr/local/bin</code>):
      </Text>
      <CopyField label="Find the firewall and write the settings" value="parapet-probe shield init" />
      <LocalAddressWarning />
      <CopyField
        label="Set below service in /etc/parapet/shield.yaml, instead of its url"
        value={serviceYaml({ serviceUrl, brand })}
      />
      <CopyField label="See what would be sent" value="parapet-probe shield check" />
      <CopyField label="Report from now on" value="parapet-probe shield forward" />
    </Stack>
  );
}

interface WaitingProps extends Pick<ShieldDetail, 'turned_on_at'> {
  readonly host: string;
}

/** Shield was on before, so that the firewall is set up. */
export function ShieldWaiting({ host, turned_on_at }: WaitingProps) {
  return (
    <Stack gap="sm" mb="md">
      <Text size="sm">
        No firewall has reported a request for {host} since Shield was turned on
        {turned_on_at && (
          <>
            {' '}
            <RelativeTime at={turned_on_at} />
          </>
        )}
        . The requests below were counted before. If the forwarder should report, test it on the host of the
        firewall:
      </Text>
      <CopyField label="See what would be sent" value="parapet-probe shield check" />
    </Stack>
  );
}
