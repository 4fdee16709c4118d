import type { CredentialType, SourceKind } from '../../../src/contract/sources.ts';

interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly secret?: true;
  readonly optional?: true;
  readonly description?: string;
}

interface CredentialForm {
  readonly label: string;
  readonly fields: readonly CredentialField[];
}

/** Connection strings of each kind that has one. */
export const dsnDescriptions: Partial<Readonly<Record<SourceKind, string>>> = {
  postgres: 'e.g. postgresql://role:password@host:5432/database. The host must be that of the source.',
  mysql: 'e.g. mysql://user:password@host:3306/database. The host must be that of the source.',
  redis:
    'e.g. rediss://user:password@host:6379. The host must be that of the source. redis:// connects without TLS.',
};

/** The form for each type of credential. */
export const credentialForms: Readonly<Record<CredentialType, CredentialForm>> = {
  basic: {
    label: 'User name and password (HTTP Basic)',
    fields: [
      { name: 'username', label: 'User name' },
      { name: 'password', label: 'Password', secret: true },
    ],
  },
  header: {
    label: 'Request header',
    fields: [
      { name: 'name', label: 'Header', description: 'e.g. Authorization or X-Api-Key' },
      { name: 'value', label: 'Value', secret: true },
    ],
  },
  dsn: {
    label: 'Connection string',
    fields: [
      {
        name: 'dsn',
        label: 'Connection string',
        secret: true,
      },
    ],
  },
  service_role: {
    label: 'Service role',
    fields: [
      { name: 'url', label: 'Project URL', description: 'e.g. https://abcdefgh.supabase.co' },
      { name: 'key', label: 'Service role key or secret key', secret: true },
      {
        name: 'anon_key',
        label: 'Anon key or publishable key',
        secret: true,
        optional: true,
        description: 'Optional. Without it, checks of public access are not assessed.',
      },
    ],
  },
};
