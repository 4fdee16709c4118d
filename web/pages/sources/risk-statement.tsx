import { Button, Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { ApiError } from '../../api/api-error.ts';
import { useAcceptRisk } from '../../api/sources.ts';
import { FormError } from '../../forms/form-error.tsx';
import classes from './sources.module.css';

/** What a person must know before anything is sent to the source. */
export function RiskStatement({ source }: { readonly source: SourceDetail }) {
  const accept = useAcceptRisk();
  const [read, setRead] = useState(false);
  const { error } = accept;
  // It may have changed since this page was loaded: the answer carries the current one.
  const statement =
    (error instanceof ApiError ? error.body.risk_statement : undefined) ?? source.risk_statement;
  return (
    <Stack gap="sm">
      <blockquote className={classes.statement}>{statement.text}</blockquote>
      <Checkbox
        label="I have read this, and may decide it for my organization"
        checked={read}
        onChange={event => setRead(event.currentTarget.checked)}
      />
      <FormError error={error} />
      <Button
        w="fit-content"
        disabled={!read}
        loading={accept.isPending}
        onClick={() => accept.mutate({ id: source.id, version: statement.version })}
      >
        Accept the risk
      </Button>
    </Stack>
  );
}
