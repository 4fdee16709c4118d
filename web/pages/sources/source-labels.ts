import type { SourceRow } from '../../../src/contract/dashboard/sources.ts';
import type { SourceKind } from '../../../src/contract/sources.ts';
import type { Choice } from '../../components/choices.ts';
import type { Status } from '../../components/status-badge.tsx';

export const kindLabels: Record<SourceKind, string> = {
  website: 'Website',
  postgres: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  redis: 'Redis or Valkey',
  supabase: 'Supabase project',
};

/** The status of a source; of one whose probe cannot report, why its status is not known. */
export function statusOf({ status, probe_state }: Pick<SourceRow, 'status' | 'probe_state'>): Status {
  const isKnown = probe_state === null || probe_state === 'reporting' || probe_state === 'dropped';
  return isKnown ? status : probe_state;
}

/** The field for the host of a new source. */
export const hostLabels: Record<SourceKind, { label: string; description: string }> = {
  website: { label: 'Domain or URL', description: 'e.g. example.com/portal' },
  postgres: { label: 'Host and port', description: 'e.g. db.example.com:5432' },
  mysql: { label: 'Host and port', description: 'e.g. db.example.com:3306' },
  redis: { label: 'Host and port', description: 'e.g. cache.example.com:6379' },
  supabase: { label: 'Project URL', description: 'e.g. abcdefgh.supabase.co' },
};

export const watchIntervals: readonly Choice[] = [
  { value: '1', label: 'Every hour' },
  { value: '6', label: 'Every 6 hours' },
  { value: '12', label: 'Every 12 hours' },
  { value: '24', label: 'Every day' },
  { value: '168', label: 'Every week' },
];
