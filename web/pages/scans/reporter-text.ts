import type { Reporter } from '../../../src/contract/dashboard/scans.ts';

/** `by probe office 1.0.0`, `by Shield`. */
export function reporterText(reporter: Reporter): string {
  if (reporter.kind === 'probe') return `by probe ${reporter.name} ${reporter.version}`;
  return reporter.kind === 'shield' ? 'by Shield' : 'by Parapet';
}
