import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

interface Props {
  /** Small inputs, each with an `aria-label`; their values come from `useUrlFilters`. */
  readonly children: ReactNode;
  /** Whether any filter is set. */
  readonly active: boolean;
  readonly onClear: () => void;
}

/** The filters above a list. */
export function FilterBar({ children, active, onClear }: Props) {
  return (
    <Group gap="xs" mb="sm" className={classes.bar ?? ''} role="search" aria-label="Filters">
      {children}
      {active && (
        <Button variant="subtle" size="sm" leftSection={<IconX size={14} aria-hidden />} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
