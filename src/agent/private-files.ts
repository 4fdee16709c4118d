import { stat } from 'node:fs/promises';
import type { AgentSettings } from './settings.ts';

/** A file or folder that other users can read or change. */
class OpenToOthers extends Error {
  override readonly name = 'OpenToOthers';
}

const othersWrite = 0o022;
const everyoneReadsOrWrites = 0o006;

/**
 * Refuses a spool that other users can write, and a key that all users can read. A key may be readable for a group, as
 * systemd's credentials are. What does not exist is not refused.
 *
 * @throws OpenToOthers
 */
export async function requirePrivateFiles({
  spool: { folder },
  service: { keyFile },
}: Pick<AgentSettings, 'spool' | 'service'>): Promise<void> {
  if ((await modeOf(folder)) & othersWrite)
    throw new OpenToOthers(`other users can write in ${folder}: run \`chmod go-w ${folder}\``);
  if (keyFile !== undefined && (await modeOf(keyFile)) & everyoneReadsOrWrites)
    throw new OpenToOthers(
      `all users can read or change the key in ${keyFile}: run \`chmod 600 ${keyFile}\``,
    );
}

/** 0 for a file that is missing or hidden: using it fails with its own message. */
async function modeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mode }) => mode,
    () => 0,
  );
}
