import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { downloadSteppedUp } from '../api/download.ts';

/** What is listed, as a file: what each is for, and where the browser gets it. */
export function ExportMenu({
  files,
}: {
  readonly files: readonly (readonly [label: string, url: string])[];
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(([label, url]) => (
          <Menu.Item key={url} component="a" href={url} download onClick={downloadSteppedUp}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
