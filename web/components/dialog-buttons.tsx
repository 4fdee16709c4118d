import { Button, Group } from '@mantine/core';

interface Props {
  /** Names the action: `Revoke key`, never `OK`. */
  readonly submitLabel: string;
  readonly pending: boolean;
  readonly disabled?: boolean | undefined;
  /** Red, for what can't be undone. */
  readonly danger?: boolean | undefined;
  readonly onCancel: () => void;
  /** Left out in a form, which the button then submits. */
  readonly onSubmit?: () => void;
}

/** Cancel, and the action of a dialog. */
export function DialogButtons({ submitLabel, pending, disabled, danger, onCancel, onSubmit }: Props) {
  return (
    <Group justify="flex-end" gap="xs">
      {/* A dialog without inputs focuses the button that changes nothing. */}
      <Button variant="default" onClick={onCancel} {...(onSubmit ? { 'data-autofocus': true } : {})}>
        Cancel
      </Button>
      <Button
        {...(onSubmit ? { onClick: onSubmit } : { type: 'submit' as const })}
        {...(danger ? { color: 'red.8' } : {})}
        disabled={disabled ?? false}
        loading={pending}
      >
        {submitLabel}
      </Button>
    </Group>
  );
}
