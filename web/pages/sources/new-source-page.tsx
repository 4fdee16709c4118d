import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useOrganization } from '../../api/session.ts';
import { useSystemNames } from '../../api/system-names.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { NotFound } from '../not-found.tsx';
import { NewSourceForm } from './new-source-form.tsx';

const names = ['system_id'] as const;

/** Creates a source as a draft. The rest of its setup is on its own page. */
export default function NewSourcePage() {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const { values } = useUrlFilters(names);
  const systems = useSystemNames();
  if (!canOperate) return <NotFound />;
  return (
    <>
      <PageHeader
        title="Add source"
        description="Nothing is sent to the source until you accept its risk statement."
        back={{ to: to.section('sources'), label: 'Sources' }}
      />
      <Loaded query={systems}>
        {systemNames =>
          systemNames.length === 0 ? (
            <EmptyState
              title="Add a system first"
              action={
                <Button component={Link} to={to.section('systems', { add: 'yes' })}>
                  Add system
                </Button>
              }
            >
              Every source belongs to a system, such as “Patient portal”.
            </EmptyState>
          ) : (
            <NewSourceForm
              systemId={values.system_id ?? (systemNames.length === 1 ? systemNames[0]!.id : null)}
            />
          )
        }
      </Loaded>
    </>
  );
}
