import { Button, Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { ApiError } from '../../api/api-error.ts';
import { useAcceptRisk } from '../../api/sources.ts';
import { FormError } from '../../forms/form-error.tsx';
import classes from './sources.module.css';

/** What a person must accept before anything is sent to the source. */
export function RiskStatement({ source }: { readonly source: SourceDetail }) {
  const accept = useAcceptRisk();
  const [approved, setApproved] = useState(false);
  const { error } = accept;
  // If the statement has changed since the page was loaded, the error contains the current one.
  const statement =
    (error instanceof ApiError ? error.body.risk_statement : undefined) ?? source.risk_statement;
  return (
    <Stack gap="sm">
      <blockquote className={classes.statement}>{statement.text}</blockquote>
      <Checkbox
        label="I'm authorized to approve this"
        checked={approved}
        onChange={event => setApproved(event.currentTarget.checked)}
      />
      <FormError error={error} />
      <Button
        w="fit-content"
        disabled={!approved}
        loading={accept.isPending}
        onClick={() => accept.mutate({ id: source.id, version: statement.version })}
      >
        Accept risk
      </Button>
    </Stack>
  );
}
