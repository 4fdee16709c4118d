import { Stack, Switch } from '@mantine/core';
import { Dimmed } from '../../components/dimmed.tsx';
import table from '../../components/table.module.css';
import { Dialog } from '../../later/dialog.tsx';
import classes from './findings.module.css';
import { useShortcutsEnabled } from './shortcuts.ts';

const shortcuts = [
  ['j', 'Next finding'],
  ['k', 'Previous finding'],
  ['Enter', 'Open finding'],
  ['x', 'Select finding'],
  ['i', 'Assign to me'],
  ['/', 'Search'],
  ['?', 'Show shortcuts'],
  ['Esc', 'Close panel or dialog'],
] as const;

export function ShortcutsDialog(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [enabled, setEnabled] = useShortcutsEnabled();
  return (
    <Dialog {...props} title="Keyboard shortcuts">
      <Stack>
        <table className={table.table}>
          <tbody>
            {shortcuts.map(([key, action]) => (
              <tr key={key}>
                <th scope="row" style={{ width: 80 }}>
                  <kbd className={classes.key}>{key}</kbd>
                </th>
                <td>{action}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Switch
          label="Enable single-key shortcuts"
          checked={enabled}
          onChange={event => setEnabled(event.currentTarget.checked)}
        />
        <Dimmed>Saved in this browser.</Dimmed>
      </Stack>
    </Dialog>
  );
}
