import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { serviceUrl } from '../deployment.ts';

const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(serviceUrl);

/** For instructions with the address of this service. Nothing if other hosts may reach it. */
export function LocalAddressWarning() {
  if (!isLocal) return null;
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      The address {serviceUrl} reaches this service from its own machine only. On another host, replace it
      with an https address that reaches the service from there.
    </Alert>
  );
}
