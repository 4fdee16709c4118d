import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';

export type StepName = 'risk' | 'credential' | 'test' | 'authorize' | 'scan' | 'watch' | 'probe';

interface Step {
  readonly name: StepName;
  readonly title: string;
  readonly done: boolean;
}

type SetupState = Pick<
  SourceDetail,
  | 'kind'
  | 'status'
  | 'credential'
  | 'last_scan'
  | 'watch'
  | 'scan_authorized_at'
  | 'connection_mode'
  | 'probe_state'
>;

/** The steps from a draft to a source with scheduled scans. @param skipped steps that the person has skipped */
export function setupSteps(source: SetupState, skipped: ReadonlySet<StepName>): Step[] {
  const { status, credential, last_scan, watch, scan_authorized_at, connection_mode, probe_state } = source;
  const isProbe = connection_mode === 'probe';
  const isOptional = source.kind === 'website';
  const isTested = status === 'connected' || (status === 'pending' && last_scan !== null);
  const steps: Step[] = [
    { name: 'risk', title: 'Accept the risk statement', done: status !== 'draft' },
    {
      name: 'credential',
      title: isOptional ? 'Add a credential (optional)' : 'Add a credential',
      done: credential.stored !== null || (isOptional && (isTested || status === 'failing')),
    },
    { name: 'test', title: 'Test the connection', done: isTested },
    { name: 'authorize', title: 'Authorize scans', done: scan_authorized_at !== null },
    { name: 'scan', title: 'Run the first scan', done: last_scan !== null },
    { name: 'watch', title: 'Turn on Watch', done: watch !== null },
    { name: 'probe', title: 'Add a probe', done: probe_state !== null && probe_state !== 'dropped' },
  ];
  const omitted = isProbe ? (['credential', 'test', 'scan', 'watch'] as const) : (['probe'] as const);
  return steps
    .filter(({ name }) => !(omitted as readonly StepName[]).includes(name))
    .map(step => ({ ...step, done: step.done || skipped.has(step.name) }));
}
