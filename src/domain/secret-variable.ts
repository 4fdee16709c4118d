import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A secret of the environment cannot be read. `message` is one line that names the variable, and never its value. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** Far longer than any key or URL. */
const mostBytes = 65_536;

/**
 * A secret from the environment: the value of the variable, or the content of the file that `<name>_FILE` names, as container
 * platforms provide secrets. One line break at the end of a file is removed.
 *
 * @returns undefined if neither is set
 * @throws SecretUnreadable
 */
export function secretOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const variable = `${name}_FILE`;
  const { [name]: value, [variable]: file } = env;
  if (!file) return value || undefined;
  if (value) throw new SecretUnreadable(`${name} and ${variable} are both set: remove one of them`);
  // Messages do not repeat the path: it may be the secret itself, by mistake.
  const bytes = contentOf(file, variable);
  if (bytes.length > mostBytes) throw new SecretUnreadable(`the file in ${variable} is larger than 64 KB`);
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (secret.trim() === '') throw new SecretUnreadable(`the file in ${variable} is empty`);
  return secret;
}

/** At most one byte more than permitted. */
function contentOf(path: string, variable: string): Buffer {
  let file: number | undefined;
  try {
    // Opening a named pipe would otherwise wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) throw new SecretUnreadable(`${variable} must name a regular file`);
    const buffer = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(file, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, length);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new SecretUnreadable(`the file in ${variable} cannot be read (${code})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
