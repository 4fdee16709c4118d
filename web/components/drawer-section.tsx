import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a drawer. */
export function DrawerSection({ title, actions, children }: Props) {
  return (
    <Stack component="section" gap="xs">
      <Group justify="space-between">
        <Title order={4}>{title}</Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
