import { Alert, Button, Checkbox, Group, Stack, Tabs } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { downloadText } from '../../components/download-text.ts';
import { brand, serviceUrl } from '../../deployment.ts';
import { keyFile } from '../probes/probe-block.ts';
import { cliExample, curlExample, environmentFile } from './first-call.ts';

interface Props {
  readonly created: MintedApiKey;
  readonly onDone: () => void;
}

/** The three values of a new key, shown once, with a first call that uses them. */
export function CreatedKey({ created, onDone }: Props) {
  const [saved, setSaved] = useState(false);
  const { kind } = created.key;
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        These values are shown only once. Copy them to your secrets manager or download the file.
      </Alert>
      <CopyField label="Token" value={created.token} />
      <CopyField label="Token ID" value={created.token_id} />
      <CopyField label="Signing key" value={created.signing_key} />
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadText('parapet.env', environmentFile(created, { serviceUrl, brand }))}
        >
          Download parapet.env
        </Button>
        {kind === 'probe' && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => downloadText('probe-key.json', keyFile(created))}
          >
            Download probe-key.json
          </Button>
        )}
        <Dimmed>
          {kind === 'probe'
            ? 'For the command line, and the key_file of a probe or a forwarder of Shield'
            : 'All three values and the URL of this service'}
        </Dimmed>
      </Group>
      <Tabs defaultValue="cli" keepMounted={false}>
        <Tabs.List aria-label="First call">
          <Tabs.Tab value="cli">First call with the CLI</Tabs.Tab>
          <Tabs.Tab value="curl">First call with curl</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="cli" pt="sm">
          <CopyField
            label="Shell"
            description="Run in a Parapet checkout that contains parapet.env."
            value={cliExample(kind)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="curl" pt="sm">
          <CopyField
            label="Shell"
            description="Run in the folder with parapet.env. Requires bash, curl and OpenSSL 3."
            value={curlExample(kind, brand)}
          />
        </Tabs.Panel>
      </Tabs>
      <Checkbox
        label="I've saved these"
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
      />
      <Button disabled={!saved} onClick={onDone}>
        Done
      </Button>
    </Stack>
  );
}
