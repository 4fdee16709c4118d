import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The buttons of a table row. */
export function RowActions({ children }: { readonly children: ReactNode }) {
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {children}
    </Group>
  );
}

interface Props {
  readonly loading?: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

/** One of them. Its label stays on one line: the table scrolls instead. */
export function RowAction({ loading = false, onClick, children }: Props) {
  return (
    <Button
      variant="subtle"
      size="xs"
      flex="none"
      styles={{ label: { whiteSpace: 'nowrap' } }}
      loading={loading}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
