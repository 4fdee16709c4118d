import { Stack } from '@mantine/core';
import type { SourceKind } from '../../../src/contract/sources.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Dimmed } from '../../components/dimmed.tsx';

/** The user of docs/databases/redis.md. */
const ofRedis =
  'ACL SETUSER parapet_reader reset on >a-long-random-password +ping +info +config|get +acl|list +module|list';

/** A command to paste that creates a user with the least privileges, for kinds of sources where one command is enough. */
export function ScanUser({ kind }: { readonly kind: SourceKind }) {
  if (kind !== 'redis') return null;
  return (
    <Stack gap="xs">
      <CopyField
        label="Command to create the user"
        value={ofRedis}
        description="In redis-cli, as an administrator, with a password of your own. Then run ACL SAVE, or add the user to redis.conf."
      />
      <Dimmed>
        PING tests the connection, INFO shows the version, CONFIG GET the settings, ACL LIST the users, and
        MODULE LIST the modules. The user has no keys, so it can read no data. CONFIG GET also shows it the
        password of the default user: without this permission, settings are not assessed.
      </Dimmed>
    </Stack>
  );
}
