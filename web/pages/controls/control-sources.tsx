import { Table } from '@mantine/core';
import type { ControlSource } from '../../../src/contract/dashboard/controls.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Results of the control's checks on each source. */
export function ControlSources({ sources }: { readonly sources: readonly ControlSource[] }) {
  const to = useOrganizationPaths();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it sideways
    <section className={classes.frame} tabIndex={0} aria-label="Sources">
      <Table className="tabular">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Source</Table.Th>
            <Table.Th scope="col">Last scan</Table.Th>
            <Table.Th scope="col" ta="right">
              Assessed
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Not assessed
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Open
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sources.map(source => (
            <Table.Tr key={source.id}>
              <Table.Td>
                <TextLink to={to.object('sources', source.id)}>{source.name}</TextLink>
              </Table.Td>
              <Table.Td>
                {source.looked_at ? <RelativeTime at={source.looked_at} /> : 'Never'}
                {source.probe && <Dimmed size="xs">Probe {source.probe}</Dimmed>}
              </Table.Td>
              <Table.Td ta="right">
                {source.assessed}
                {source.outdated > 0 && `, ${source.outdated} outdated`}
              </Table.Td>
              <Table.Td ta="right">{source.not_assessed}</Table.Td>
              <Table.Td ta="right">{source.open}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
