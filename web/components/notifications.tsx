import '@mantine/notifications/styles.css';
import { Notifications, notifications } from '@mantine/notifications';

export function show(message: string): void {
  notifications.show({
    message,
    color: 'teal',
    withBorder: true,
    autoClose: 4000,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}

/** Where it is shown. */
export default function Shown() {
  return <Notifications position="bottom-right" />;
}
