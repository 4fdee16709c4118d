import { Stack, Text } from '@mantine/core';
import { CopyField } from '../../components/copy-field.tsx';
import { LocalAddressWarning } from '../../components/local-address-warning.tsx';
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
        of this system in /etc/parapet/shield-key.json and <code>parapet-probe</code> installed (
        <code>npm run build:probe</code> makes this file in a checkout of Parapet):
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
