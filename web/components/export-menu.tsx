import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { downloadAfterStepUp } from '../api/download.ts';
import { MenuButton } from '../later/menu-button.tsx';

interface Props {
  readonly files: readonly (readonly [label: string, url: string])[];
}

/** Downloads the list in one of several formats. */
export function ExportMenu({ files }: Props) {
  return (
    <MenuButton
      position="bottom-end"
      button={
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      }
    >
      {Menu => (
        <>
          {files.map(([label, url]) => (
            <Menu.Item key={url} component="a" href={url} download onClick={downloadAfterStepUp}>
              {label}
            </Menu.Item>
          ))}
        </>
      )}
    </MenuButton>
  );
}
