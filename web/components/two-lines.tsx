import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: ReactNode;
  /** A smaller line below. */
  readonly detail: ReactNode;
}

/** What identifies a row, and a detail of it. */
export function TwoLines({ title, detail }: Props) {
  return (
    <Stack gap={0} component="span">
      <span>{title}</span>
      <Text span size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
        {detail}
      </Text>
    </Stack>
  );
}
