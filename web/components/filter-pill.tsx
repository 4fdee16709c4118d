import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

interface Props {
  /** What the list is filtered by: `Source: Portal website`. */
  readonly label: string;
  readonly onRemove: () => void;
}

/** A filter that comes from a link and has no input of its own. */
export function FilterPill({ label, onRemove }: Props) {
  return (
    <Button
      variant="default"
      aria-label={`Remove filter: ${label}`}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onRemove}
    >
      {label}
    </Button>
  );
}
