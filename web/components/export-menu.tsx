import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { downloadAfterStepUp } from '../api/download.ts';

interface Props {
  readonly files: readonly (readonly [label: string, url: string])[];
}

/** Downloads the list in one of several formats. */
export function ExportMenu({ files }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(([label, url]) => (
          <Menu.Item key={url} component="a" href={url} download onClick={downloadAfterStepUp}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
