import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useRiskStatements } from '../../api/probes.ts';
import { useOrganization } from '../../api/session.ts';
import { useSystemNames } from '../../api/system-names.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { NotFound } from '../not-found.tsx';
import { AddedProbe } from './added-probe.tsx';
import { NewProbeForm } from './new-probe-form.tsx';
import type { Added } from './probe-block.ts';

const names = ['system_id', 'source_id'] as const;

/** Adds a probe, and waits for its first report. */
export default function NewProbePage() {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const { values, set } = useUrlFilters(names);
  const systems = useSystemNames();
  const statements = useRiskStatements();
  const [added, setAdded] = useState<Added>();
  if (!canOperate) return <NotFound />;
  return (
    <>
      <PageHeader
        title="Add a probe"
        description="A probe assesses databases and websites from inside their network. It connects to this service; nothing connects to the probe."
        back={{ to: to.section('probes'), label: 'Probes' }}
      />
      <Loaded query={systems}>
        {systemNames => {
          if (added) return <AddedProbe added={added} />;
          if (systemNames.length === 0)
            return (
              <EmptyState
                title="Add a system first"
                action={
                  <Button component={Link} to={to.section('systems', { add: 'yes' })}>
                    Add system
                  </Button>
                }
              >
                Every probe belongs to a system, such as “Patient portal”.
              </EmptyState>
            );
          return (
            <Loaded query={statements}>
              {({ risk_statements }) => (
                <NewProbeForm
                  systemId={values.system_id ?? (systemNames.length === 1 ? systemNames[0]!.id : null)}
                  sourceId={values.source_id}
                  statements={risk_statements}
                  onSystem={system_id => set({ system_id, source_id: null })}
                  onAdded={setAdded}
                />
              )}
            </Loaded>
          );
        }}
      </Loaded>
    </>
  );
}
