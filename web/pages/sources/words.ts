import type { SourceKind } from '../../../src/contract/sources.ts';

export const kindLabels: Record<SourceKind, string> = {
  website: 'Website',
  postgres: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  supabase: 'Supabase project',
};

/** What is asked for when a source of the kind is added. */
export const hostWords: Record<SourceKind, { label: string; placeholder: string; description: string }> = {
  website: {
    label: 'Address',
    placeholder: 'www.example.com',
    description: 'A host name, or a URL where it begins below a path.',
  },
  postgres: {
    label: 'Server',
    placeholder: 'db.example.com:5432',
    description: 'A host name with its port. The credential comes later, and is never part of it.',
  },
  mysql: {
    label: 'Server',
    placeholder: 'db.example.com:3306',
    description: 'A host name with its port. The credential comes later, and is never part of it.',
  },
  supabase: {
    label: 'Project',
    placeholder: 'abcdefgh.supabase.co',
    description: 'The host of the project’s URL.',
  },
};

export const watchLabels: readonly { value: string; label: string }[] = [
  { value: '1', label: 'Every hour' },
  { value: '6', label: 'Every 6 hours' },
  { value: '12', label: 'Every 12 hours' },
  { value: '24', label: 'Every day' },
  { value: '168', label: 'Every week' },
];
