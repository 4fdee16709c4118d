import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';
import classes from './copy-field.module.css';
import { Dimmed } from './dimmed.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
}

/** A value to copy, shown in full on as many lines as it needs. */
export function CopyField({ label, value, description }: Props) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-end">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={value} what={label} />
      </Group>
      {description && <Dimmed>{description}</Dimmed>}
      <Code block className={classes.value}>
        {value}
      </Code>
    </Stack>
  );
}
