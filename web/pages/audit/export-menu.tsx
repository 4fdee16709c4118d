import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { AuditFilters } from '../../../src/contract/dashboard/audit.ts';
import { useAuditExportUrl } from '../../api/audit.ts';

/** The log as it is filtered, as a file. */
export function ExportMenu({ filters }: { readonly filters: AuditFilters }) {
  const urlOf = useAuditExportUrl();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={urlOf('csv', filters)} download>
          CSV, for spreadsheets
        </Menu.Item>
        <Menu.Item component="a" href={urlOf('jsonl', filters)} download>
          JSON lines, for a SIEM
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
