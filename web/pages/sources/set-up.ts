import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';

export type StepName = 'risk' | 'credential' | 'test' | 'authorize' | 'scan' | 'watch';

export interface Step {
  readonly name: StepName;
  readonly title: string;
  readonly done: boolean;
}

/** What leads a source to being watched, and what of it is done. @param skipped steps that are left out this time */
export function stepsOf(source: SourceDetail, skipped: ReadonlySet<StepName>): Step[] {
  const { status, credential, last_scan, watch, scan_authorized_at, connection_mode } = source;
  const isProbe = connection_mode === 'probe';
  const optional = source.kind === 'website';
  const tested = status === 'connected' || (status === 'pending' && last_scan !== null);
  const steps: Step[] = [
    { name: 'risk', title: 'Read and accept the risk statement', done: status !== 'draft' },
    {
      name: 'credential',
      title: optional ? 'Store a credential, if it asks for one' : 'Store a credential',
      done: credential.stored !== null || (optional && (tested || status === 'failing')),
    },
    { name: 'test', title: 'Test the connection', done: tested },
    { name: 'authorize', title: 'Authorize scans', done: scan_authorized_at !== null },
    { name: 'scan', title: 'Start the first scan', done: last_scan !== null },
    { name: 'watch', title: 'Turn Watch on', done: watch !== null },
  ];
  return steps
    .filter(({ name }) => !isProbe || name === 'risk' || name === 'authorize')
    .map(step => ({ ...step, done: step.done || skipped.has(step.name) }));
}
