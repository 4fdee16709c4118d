import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../components/copy-button.tsx';
import { downloadText } from '../components/download-text.ts';
import classes from './backup-codes.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Ten codes, shown this once: whoever goes on has said that they kept them. */
export function BackupCodes({ codes, onKept }: Props) {
  const [kept, setKept] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text>
        Each of these codes opens your account once, in place of the second factor, should you lose it. They
        are shown only now. Keep them where you keep passwords, or print them.
      </Text>
      <ol className={classes.codes} aria-label="Backup codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Group gap="xs">
        <CopyButton value={text} what="backup codes" />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => downloadText('parapet-backup-codes.txt', text)}
        >
          Download
        </Button>
      </Group>
      <Checkbox
        label="I have kept them"
        checked={kept}
        onChange={event => setKept(event.currentTarget.checked)}
      />
      <Button disabled={!kept} onClick={onKept} fullWidth>
        Continue
      </Button>
    </Stack>
  );
}
