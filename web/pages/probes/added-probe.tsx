import { Alert, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CopyField } from '../../components/copy-field.tsx';
import { LocalAddressWarning } from '../../components/local-address-warning.tsx';
import { Section } from '../../components/section.tsx';
import { brand, serviceUrl } from '../../deployment.ts';
import { FirstReports } from './first-reports.tsx';
import { type Added, type BlockTarget, secretVariable, startBlock } from './probe-block.ts';

/** How to start the probe, and what it reports first. */
export function AddedProbe({ added }: { readonly added: Added }) {
  return (
    <Stack>
      <Section title="Start the probe">
        <Stack>
          <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
            The commands contain the key of the probe, which is shown only once. Copy them before you leave
            this page.
          </Alert>
          <Text size="sm">
            Run them on a host in the network of the targets, as the user that runs the probe, with{' '}
            <code>parapet-probe</code> in PATH: <code>npm run build:probe</code> makes the file{' '}
            <code>dist/parapet-probe</code> in a checkout of Parapet; copy it to <code>/usr/local/bin</code>{' '}
            of the host. They write its configuration and key file, test everything, and start it.
          </Text>
          <Text size="sm">
            If that user is not root, change the lines <code>dir=/etc/parapet</code> and{' '}
            <code>spool=/var/lib/parapet-probe</code> to folders that the user can create.
          </Text>
          <LocalAddressWarning />
          <Secrets targets={added.targets} />
          <Text size="sm">
            If the certificate of a target is from a private CA, add the line{' '}
            <code>ca_file: /etc/ssl/internal-ca.pem</code> below <code>host</code> of the target, with the
            same indentation and the path of the CA's certificate.
          </Text>
          <CopyField label="Shell" value={startBlock(added, { serviceUrl, brand })} />
        </Stack>
      </Section>
      <FirstReports added={added} />
    </Stack>
  );
}

/** Which environment variables to set first. The secrets themselves never reach this service. */
function Secrets({ targets }: { readonly targets: readonly BlockTarget[] }) {
  const needed = targets.flatMap(target => {
    const variable = secretVariable(target);
    return variable ? [{ ...target, variable }] : [];
  });
  if (needed.length === 0) return null;
  return (
    <div>
      <Text size="sm">
        Passwords are not in the commands. Set these environment variables first, with <code>export</code>, as
        in <code>export {needed[0]!.variable}='…'</code>:
      </Text>
      <List size="sm" mt={4}>
        {needed.map(({ variable, kind, user, host }) => (
          <List.Item key={variable} style={{ overflowWrap: 'anywhere' }}>
            <code>{variable}</code>:{' '}
            {kind === 'supabase' ? `the service role key of ${host}` : `the password of ${user} on ${host}`}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt={4}>
        Or replace <code>password_env</code> in the configuration with <code>password_file</code> or{' '}
        <code>password_command</code>.
      </Text>
    </div>
  );
}
