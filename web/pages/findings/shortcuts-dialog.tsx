import { Modal, Stack, Switch, Table } from '@mantine/core';
import { Dimmed } from '../../components/dimmed.tsx';
import classes from './findings.module.css';
import { useShortcutsEnabled } from './shortcuts.ts';

const shortcuts = [
  ['j', 'Next finding'],
  ['k', 'Previous finding'],
  ['Enter', 'Open finding'],
  ['x', 'Select finding'],
  ['/', 'Search'],
  ['?', 'Show shortcuts'],
  ['Esc', 'Close panel or dialog'],
] as const;

export function ShortcutsDialog(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [enabled, setEnabled] = useShortcutsEnabled();
  return (
    <Modal {...props} title="Keyboard shortcuts">
      <Stack>
        <Table withRowBorders={false} verticalSpacing={4}>
          <Table.Tbody>
            {shortcuts.map(([key, action]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" w={80}>
                  <kbd className={classes.key}>{key}</kbd>
                </Table.Th>
                <Table.Td>{action}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Enable single-key shortcuts"
          checked={enabled}
          onChange={event => setEnabled(event.currentTarget.checked)}
        />
        <Dimmed>Saved in this browser.</Dimmed>
      </Stack>
    </Modal>
  );
}
