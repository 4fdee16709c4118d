import type { DrawerProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsPhone } from '../components/use-is-phone.ts';
import { later, useOpened } from './later.ts';

const useDrawer = later<DrawerProps>(() => import('./drawer.ts'));

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** One object beside its list; the full width of a phone. */
export function DetailDrawer({ opened, onClose, title, children }: Props) {
  const isPhone = useIsPhone();
  const Drawer = useDrawer(opened);
  const isOpened = useOpened(opened, Drawer !== undefined);
  // Its requests start while the code loads.
  if (!Drawer) return opened ? <div hidden>{children}</div> : null;
  return (
    <Drawer opened={isOpened} onClose={onClose} title={title} size={isPhone ? '100%' : 'xl'}>
      {children}
    </Drawer>
  );
}
