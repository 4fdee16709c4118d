import { Alert, Button, Checkbox, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import { downloadText } from '../../components/download-text.ts';
import { SecretField } from '../../components/secret-field.tsx';
import { cliLines, curlLines, environmentFile } from './first-call.ts';

interface Props {
  readonly minted: MintedApiKey;
  readonly onDone: () => void;
}

/** The three values, shown this once, and a first call that works with them. */
export function MintedKey({ minted, onDone }: Props) {
  const [stored, setStored] = useState(false);
  const { kind } = minted.key;
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        Nothing can show them again. Put them where you keep secrets, or download the file.
      </Alert>
      <SecretField label="Token" value={minted.token} />
      <SecretField label="Token id" value={minted.token_id} />
      <SecretField label="Signing key" value={minted.signing_key} />
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadText('parapet.env', environmentFile(minted))}
        >
          Download parapet.env
        </Button>
        <Text size="sm" c="dimmed">
          All three, with the address of this service
        </Text>
      </Group>
      <Tabs defaultValue="cli" keepMounted={false}>
        <Tabs.List aria-label="A first call">
          <Tabs.Tab value="cli">First call with the CLI</Tabs.Tab>
          <Tabs.Tab value="curl">With curl</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="cli" pt="sm">
          <SecretField label="Beside parapet.env, in a checkout of Parapet" value={cliLines(kind)} />
        </Tabs.Panel>
        <Tabs.Panel value="curl" pt="sm">
          <SecretField label="Beside parapet.env: bash, curl, OpenSSL 3" value={curlLines(kind)} />
        </Tabs.Panel>
      </Tabs>
      <Checkbox
        label="I have stored them"
        checked={stored}
        onChange={event => setStored(event.currentTarget.checked)}
      />
      <Button disabled={!stored} onClick={onDone}>
        Done
      </Button>
    </Stack>
  );
}
