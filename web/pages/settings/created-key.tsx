import { Alert, Button, Checkbox, Group, Stack, Tabs } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import type { KeyKind } from '../../../src/contract/keys.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { downloadText } from '../../components/download-text.ts';
import { brand, serviceUrl } from '../../deployment.ts';
import { keyFile } from '../probes/probe-block.ts';
import { cliExample, curlExample, environmentFile } from './first-call.ts';
import { goExample, javascriptExample, pythonExample } from './first-call-code.ts';

interface Props {
  readonly created: MintedApiKey;
  readonly onDone: () => void;
  /** What else to know about the new key. */
  readonly children?: ReactNode;
}

/** The three values of a new key, shown once, with a first call that uses them. */
export function CreatedKey({ created, onDone, children }: Props) {
  const [saved, setSaved] = useState(false);
  const { kind } = created.key;
  const examples = examplesOf(kind);
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        These values are shown only once. Copy them to your secrets manager or download the file.
      </Alert>
      {children}
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
      <Tabs defaultValue={examples[0]!.name} keepMounted={false}>
        <Tabs.List aria-label="First call">
          {examples.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {examples.map(({ name, description, value }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <CopyField label="First call" description={description} value={value} />
          </Tabs.Panel>
        ))}
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

function examplesOf(kind: KeyKind) {
  const run = (command: string) =>
    `Save the file next to parapet.env, then run: set -a; . ./parapet.env; ${command}`;
  return [
    {
      name: 'CLI',
      description: 'Run in a Parapet checkout that contains parapet.env.',
      value: cliExample(kind),
    },
    {
      name: 'curl',
      description: 'Run in the folder with parapet.env. Requires bash, curl and OpenSSL 3.',
      value: curlExample(kind, brand),
    },
    {
      name: 'Python',
      description: `${run('python3 first_call.py')}. Requires Python 3.9 and the package cryptography.`,
      value: pythonExample(kind, brand),
    },
    {
      name: 'Node.js',
      description: `${run('node first-call.mjs')}. Requires Node.js 20.`,
      value: javascriptExample(kind, brand),
    },
    {
      name: 'Go',
      description: `${run('go run first_call.go')}. Requires Go 1.19.`,
      value: goExample(kind, brand),
    },
  ];
}
