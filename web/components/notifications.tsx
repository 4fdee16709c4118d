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

export default function NotificationList() {
  return <Notifications position="bottom-right" />;
}
