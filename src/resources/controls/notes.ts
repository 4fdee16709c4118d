import type { ControlNote } from '../../contract/dashboard/controls.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { nameOfPerson } from '../people/person-name.ts';

const columns = `n.note, ${nameOfPerson('m.person_id = n.written_by')} as written_by, n.written_at`;

/** Adds a new version and keeps the previous one. Null removes the note. */
export async function writeNote(transaction: TenantTransaction, control: string, note: string | null) {
  const rows = await transaction.query<ControlNote>({
    text: `insert into control_notes as n (control, note, written_by) values ($1, $2, $3) returning ${columns}`,
    values: [control, note, transaction.actor.id],
  });
  transaction.audit({
    action: note === null ? 'control.note_removed' : 'control.note_written',
    objectKind: 'control',
    objectId: control,
  });
  return rows[0]!;
}

/** All versions, newest first: the first one is current. */
export async function listNotes(session: TenantSession, control: string, limit: number) {
  return session.query<ControlNote>({
    text: `select ${columns} from control_notes n where control = $1 order by written_at desc, id desc limit $2`,
    values: [control, limit],
  });
}

/** The current note of each control that has one. */
export async function currentNotes(session: TenantSession): Promise<ReadonlyMap<string, ControlNote>> {
  const rows = await session.query<ControlNote & { control: string }>({
    text: `select * from (select distinct on (control) control, ${columns} from control_notes n
      order by control, written_at desc, id desc) as newest where note is not null`,
  });
  return new Map(rows.map(({ control, ...note }) => [control, note]));
}
