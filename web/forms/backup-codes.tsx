import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../components/copy-button.tsx';
import { downloadText } from '../components/download-text.ts';
import classes from './backup-codes.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

/** Ten codes that are shown once, so the person has to confirm that they are saved. */
export function BackupCodes({ codes, onSaved }: Props) {
  const [saved, setSaved] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text>
        If you lose your second factor, each of these codes signs you in once. They are shown only once. Store
        them in your password manager or print them.
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
        label="I've saved these codes"
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
      />
      <Button disabled={!saved} onClick={onSaved} fullWidth>
        Continue
      </Button>
    </Stack>
  );
}
