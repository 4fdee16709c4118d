import type { ConnectionSettings } from '../../src/database/connection.ts';
import { asOwner } from './postgres.ts';

/** The contents of these tables as one text, to search for what must not be stored. Bytes are in hexadecimal. */
export function storedText(connection: ConnectionSettings, tables: readonly string[]): Promise<string> {
  return asOwner(connection, async client => {
    let text = '';
    for (const table of tables) {
      const { rows } = await client.query(`select string_agg(t::text, '') as text from ${table} t`);
      text += rows[0].text ?? '';
    }
    return text;
  });
}
