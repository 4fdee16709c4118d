import { type ClientSettings, readClientSettings } from '../cli/settings.ts';
import { explainUnreadable } from './explain-unreadable.ts';
import type { ServiceSettings } from './settings.ts';
import { readTrustedFile } from './trusted-path.ts';

/** The key could not be read, or is malformed. */
export class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable';
}

/** Fields of the file that the dashboard or `parapet keys mint --json` gives, and their names in the environment. */
const fields = [
  ['token', 'PARAPET_TOKEN'],
  ['token_id', 'PARAPET_TOKEN_ID'],
  ['signing_key', 'PARAPET_SIGNING_KEY'],
] as const;

const fileNames = { token: 'token', tokenId: 'token_id', signingKey: 'signing_key' };

/**
 * The key as it is now, with the address of the service.
 *
 * @throws KeyUnusable
 */
export async function readKey({ url, brand, keyFile }: ServiceSettings): Promise<ClientSettings> {
  const given = keyFile === undefined ? process.env : await readKeyFile(keyFile);
  try {
    const settings = { ...given, PARAPET_URL: url, PARAPET_BRAND: brand };
    return readClientSettings(settings, keyFile === undefined ? undefined : fileNames);
  } catch (error) {
    const { message } = error as Error;
    throw new KeyUnusable(keyFile === undefined ? message : `${keyFile}: ${message}`);
  }
}

async function readKeyFile(file: string): Promise<NodeJS.ProcessEnv> {
  let text: string;
  try {
    text = readTrustedFile(file).toString('utf8');
  } catch (error) {
    throw new KeyUnusable(await explainUnreadable(file, error));
  }
  let key: Readonly<Record<string, unknown>>;
  try {
    key = Object(JSON.parse(text));
  } catch {
    throw new KeyUnusable(
      `${file} is not the JSON file that the dashboard gives for download with a new key`,
    );
  }
  const missing = fields.flatMap(([field]) => (typeof key[field] === 'string' && key[field] ? [] : [field]));
  if (missing.length > 0)
    throw new KeyUnusable(`${file} lacks ${missing.join(', ')}: download the file of a new key`);
  return Object.fromEntries(fields.map(([field, name]) => [name, key[field] as string]));
}
