import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';

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
      <Dimmed span size="xs" fw={400} style={{ overflowWrap: 'anywhere' }}>
        {detail}
      </Dimmed>
    </Stack>
  );
}
