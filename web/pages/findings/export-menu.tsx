import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ExportFormat, FindingFilters } from '../../../src/contract/dashboard/findings.ts';
import { useExportUrl } from '../../api/findings.ts';

const formats: readonly [format: ExportFormat, label: string][] = [
  ['csv', 'CSV, for spreadsheets'],
  ['json', 'JSON'],
  ['sarif', 'SARIF 2.1.0, for code scanning'],
  ['ocsf', 'OCSF, for a SIEM'],
];

/** The list as it is filtered, as a file. */
export function ExportMenu({ filters }: { readonly filters: FindingFilters }) {
  const urlOf = useExportUrl(filters);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(([format, label]) => (
          <Menu.Item key={format} component="a" href={urlOf(format)} download>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
