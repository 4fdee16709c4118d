import { Drawer } from '@mantine/core';
import { useOrganization } from '../api/session.ts';
import { SideNavigation } from './side-navigation.tsx';

/** The whole navigation, where there is no room for it beside the page. */
export default function NavigationDrawer({ onClose }: { readonly onClose: () => void }) {
  const { name } = useOrganization();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="left"
      size={280}
      title={name}
      closeButtonProps={{ 'aria-label': 'Close navigation' }}
    >
      <SideNavigation onNavigate={onClose} />
    </Drawer>
  );
}
