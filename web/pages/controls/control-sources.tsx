import type { ControlSource } from '../../../src/contract/dashboard/controls.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import table from '../../components/table.module.css';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Results of the control's checks on each source. */
export function ControlSources({ sources }: { readonly sources: readonly ControlSource[] }) {
  const to = useOrganizationPaths();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it sideways
    <section className={classes.frame} tabIndex={0} aria-label="Sources">
      <table className={`${table.table} ${table.lines} tabular`}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Last scan</th>
            <th scope="col" style={{ textAlign: 'right' }}>
              Assessed
            </th>
            <th scope="col" style={{ textAlign: 'right' }}>
              Not assessed
            </th>
            <th scope="col" style={{ textAlign: 'right' }}>
              Open
            </th>
          </tr>
        </thead>
        <tbody>
          {sources.map(source => (
            <tr key={source.id}>
              <td>
                <TextLink to={to.object('sources', source.id)}>{source.name}</TextLink>
              </td>
              <td>
                {source.looked_at ? <RelativeTime at={source.looked_at} /> : 'Never'}
                {source.probe && <Dimmed size="xs">Probe {source.probe}</Dimmed>}
              </td>
              <td style={{ textAlign: 'right' }}>
                {source.assessed}
                {source.outdated > 0 && `, ${source.outdated} outdated`}
              </td>
              <td style={{ textAlign: 'right' }}>{source.not_assessed}</td>
              <td style={{ textAlign: 'right' }}>{source.open}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
