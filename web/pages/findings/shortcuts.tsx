import { Modal, Stack, Switch, Table, Text } from '@mantine/core';
import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import classes from './findings.module.css';

/** Keys of one letter may be in somebody's way: they can be switched off (WCAG 2.2, 2.1.4). */
function useShortcutSwitch() {
  return useLocalStorage({ key: 'parapet-shortcuts', defaultValue: true, getInitialValueInEffect: false });
}

interface Acts {
  readonly move: (by: 1 | -1) => void;
  readonly open: () => void;
  readonly select: () => void;
  readonly search: () => void;
  readonly help: () => void;
}

export function useShortcuts({ move, open, select, search, help }: Acts): void {
  const [on] = useShortcutSwitch();
  // What a dialog asks comes before the list behind it; the drawer with a finding is part of the list.
  const unlessAsked = (act: () => void) => () => {
    if (!document.querySelector('.mantine-Modal-content')) act();
  };
  // A button or link that has the focus takes Enter for itself.
  const unlessFocused = (act: () => void) => () => {
    if (!document.activeElement?.closest('a, button, [role=dialog]')) act();
  };
  useHotkeys(
    on
      ? [
          ['j', unlessAsked(() => move(1))],
          ['k', unlessAsked(() => move(-1))],
          ['Enter', unlessFocused(open), { preventDefault: false }],
          ['x', unlessAsked(select)],
          ['/', unlessAsked(search)],
          ['shift+?', unlessAsked(help)],
        ]
      : [],
  );
}

const keys = [
  ['j', 'Next finding'],
  ['k', 'Finding before'],
  ['Enter', 'Open it'],
  ['x', 'Select it'],
  ['/', 'Search'],
  ['?', 'This help'],
  ['Esc', 'Close what is open'],
] as const;

export function ShortcutsDialog(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [on, setOn] = useShortcutSwitch();
  return (
    <Modal {...props} title="Keyboard shortcuts">
      <Stack>
        <Table withRowBorders={false} verticalSpacing={4}>
          <Table.Tbody>
            {keys.map(([key, act]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" w={80}>
                  <kbd className={classes.key}>{key}</kbd>
                </Table.Th>
                <Table.Td>{act}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Use shortcuts of one letter"
          checked={on}
          onChange={event => setOn(event.currentTarget.checked)}
        />
        <Text size="sm" c="dimmed">
          The choice stays in this browser.
        </Text>
      </Stack>
    </Modal>
  );
}
