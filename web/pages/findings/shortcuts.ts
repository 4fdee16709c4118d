import { useHotkeys, useLocalStorage } from '@mantine/hooks';

/** Single-key shortcuts can get in the way of assistive technology, so they can be turned off (WCAG 2.2, 2.1.4). */
export function useShortcutsEnabled() {
  return useLocalStorage({ key: 'parapet-shortcuts', defaultValue: true, getInitialValueInEffect: false });
}

interface Actions {
  readonly move: (by: 1 | -1) => void;
  readonly open: () => void;
  readonly select: () => void;
  readonly assign: () => void;
  readonly search: () => void;
  readonly help: () => void;
}

/** The keyboard shortcuts of the list. */
export function useShortcuts({ move, open, select, assign, search, help }: Actions): void {
  const [enabled] = useShortcutsEnabled();
  // A dialog takes precedence over the list behind it; the drawer with a finding is part of the list.
  const outsideDialog = (action: () => void) => () => {
    if (!document.querySelector('.mantine-Modal-content')) action();
  };
  // Enter activates the focused button or link.
  const unlessFocused = (action: () => void) => () => {
    if (!document.activeElement?.closest('a, button, [role=dialog]')) action();
  };
  useHotkeys(
    enabled
      ? [
          ['j', outsideDialog(() => move(1))],
          ['k', outsideDialog(() => move(-1))],
          ['Enter', unlessFocused(open), { preventDefault: false }],
          ['x', outsideDialog(select)],
          ['i', outsideDialog(assign)],
          ['/', outsideDialog(search)],
          ['shift+?', outsideDialog(help)],
        ]
      : [],
  );
}
