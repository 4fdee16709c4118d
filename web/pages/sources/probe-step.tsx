import { Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { secretVariable, targetNames, targetYaml } from '../probes/probe-block.ts';
import { draftTarget } from '../probes/target-draft.ts';

/** Leads to a new probe, or adds the source to one that runs. */
export function ProbeStep({ source }: { readonly source: SourceDetail }) {
  const to = useOrganizationPaths();
  const { id, name, kind, host, system } = source;
  const [target] = targetNames([name]);
  const variable = secretVariable({ name: target!, kind });
  const { user, database, tls } = draftTarget();
  return (
    <Stack gap="sm">
      <Button
        component={Link}
        to={to.section('probes/new', { system_id: system.id, source_id: id })}
        w="fit-content"
      >
        Add a probe
      </Button>
      <CopyField
        label="Or use a probe that runs"
        description={
          variable
            ? `Add this to the targets in its configuration, set ${variable} in its environment, and restart it.`
            : 'Add this to the targets in its configuration, then send it SIGHUP or restart it.'
        }
        value={targetYaml({ name: target!, kind, sourceId: id, host, user, database, tls })}
      />
      <Text size="sm">This step is done when the probe has reported on the source.</Text>
    </Stack>
  );
}
