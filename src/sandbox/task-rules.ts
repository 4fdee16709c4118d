import type { TaskName, Tasks } from './tasks.ts';

/**
 * A process that has read a target may be compromised by it: it must neither get the credential of another source nor
 * prove a domain, which allows full scans.
 */
export function mustBeNew(task: TaskName, input: Tasks[TaskName]['input']): boolean {
  return task === 'prove_domain' || hasCredential(input);
}

export function hasCredential(input: Tasks[TaskName]['input']): boolean {
  // The URL of a webhook is one.
  return 'url' in input || ('source' in input && input.source.credential !== undefined);
}

/**
 * The error's name and positions in the bundled program. Anything else may be text of the target, and must not be
 * logged.
 */
export function faultOf(fault: unknown): string[] {
  const isOurs = (line: unknown) =>
    typeof line === 'string' && /^(?:[A-Z][A-Za-z]{0,40}Error|\[stdin\]:\d{1,7}:\d{1,7})$/.test(line);
  return Array.isArray(fault) ? fault.slice(0, 12).filter(isOurs) : [];
}
