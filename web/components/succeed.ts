import { notifications } from '@mantine/notifications';

/** Says that something is done, for a few seconds and to screen readers. */
export function succeed(message: string): void {
  notifications.show({
    message,
    color: 'teal',
    withBorder: true,
    autoClose: 4000,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}
