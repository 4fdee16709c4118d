import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

interface Props {
  /** What the list is narrowed to: `Only Portal front`. */
  readonly label: string;
  readonly onRemove: () => void;
}

/** A filter that no input shows, with the way out of it. */
export function FilterPill({ label, onRemove }: Props) {
  return (
    <Button
      variant="default"
      aria-label={`${label}. Show all`}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onRemove}
    >
      {label}
    </Button>
  );
}
