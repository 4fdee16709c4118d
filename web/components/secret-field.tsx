import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';
import classes from './secret-field.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly onCopied?: () => void;
}

/** A value to copy: in full, on as many lines as it takes. */
export function SecretField({ label, value, description, onCopied }: Props) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      {description && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block className={classes.value}>
          {value}
        </Code>
        <CopyButton value={value} what={label} {...(onCopied ? { onCopied } : {})} />
      </Group>
    </Stack>
  );
}
