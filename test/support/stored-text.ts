import type { ConnectionSettings } from '../../src/database/connection.ts';
import { asOwner } from './postgres.ts';

/** All that these tables hold, as one text: for looking for what must not be there. Bytes are in hexadecimal. */
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
