import type { Menu, MenuProps } from '@mantine/core';
import {
  type ButtonHTMLAttributes,
  cloneElement,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { later } from './later.ts';

type Parts = typeof Menu;

const useMenu = later<MenuProps>(() => import('./menu.ts'));

interface Props extends Omit<MenuProps, 'children' | 'opened' | 'onChange'> {
  readonly button: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  /** The content of the menu, from the parts of Mantine's `Menu`, whose code loads after the page. */
  readonly children: (parts: Parts) => ReactNode;
}

/** A button that opens a menu. */
export function MenuButton({ button, children, ...rest }: Props) {
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const hasFocus = useRef(false);
  const Loaded = useMenu(wanted) as Parts | undefined;
  if (Loaded) {
    return (
      <Loaded {...rest} opened={opened} onChange={setOpened}>
        {/* Another element, which keeps the focus. */}
        <Loaded.Target>{cloneElement(button, { autoFocus: hasFocus.current })}</Loaded.Target>
        <Loaded.Dropdown>{children(Loaded)}</Loaded.Dropdown>
      </Loaded>
    );
  }
  const want = () => setWanted(true);
  const open = () => {
    want();
    setOpened(true);
  };
  return cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: want,
    onFocus: () => {
      hasFocus.current = true;
      want();
    },
    onBlur: () => {
      hasFocus.current = false;
    },
    // The code may load before the mouse button is released, which is not a click on the loaded button.
    onPointerDown: (event: PointerEvent) => event.pointerType === 'mouse' && event.button === 0 && open(),
    onClick: open,
  });
}
