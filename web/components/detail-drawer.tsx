import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Names the drawer for screen readers: a text, or an element with one. */
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** One object beside the list that it is in; the whole width of a phone. Escape closes it. */
export function DetailDrawer({ opened, onClose, title, children }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Drawer opened={opened} onClose={onClose} title={title} size={phone ? '100%' : 'xl'}>
      {children}
    </Drawer>
  );
}
