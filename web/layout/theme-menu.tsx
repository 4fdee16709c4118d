import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { MenuButton } from '../later/menu-button.tsx';

const schemes = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
] as const;

/** Switches between light, dark and the system's color scheme. The browser remembers the choice. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = schemes.find(({ value }) => value === colorScheme)?.Icon ?? IconSun;
  return (
    <MenuButton
      position="bottom-end"
      withinPortal={false}
      returnFocus
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Theme">
          <Current size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    >
      {Menu => (
        <>
          {schemes.map(({ value, label, Icon }) => (
            <Menu.Item
              key={value}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={value === colorScheme && <IconCheck size={14} aria-label="Selected" />}
              onClick={() => setColorScheme(value)}
            >
              {label}
            </Menu.Item>
          ))}
        </>
      )}
    </MenuButton>
  );
}
