import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsPhone } from './use-is-phone.ts';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** One object beside its list; the full width of a phone. */
export function DetailDrawer({ opened, onClose, title, children }: Props) {
  const isPhone = useIsPhone();
  return (
    <Drawer opened={opened} onClose={onClose} title={title} size={isPhone ? '100%' : 'xl'}>
      {children}
    </Drawer>
  );
}
