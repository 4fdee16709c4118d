import { ControlNoteEnvelope, WriteControlNote } from '../../../contract/dashboard/controls.ts';
import type { App } from '../../../http/app.ts';
import { writeNote } from '../../../resources/controls/notes.ts';
import { organizationPath } from '../../organization-path.ts';
import { ControlParams, citationOf } from './params.ts';

export function writeControlNoteRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { params: ControlParams, body: WriteControlNote, response: { 200: ControlNoteEnvelope } };
  const url = `${organizationPath}/controls/:control/note`;
  app.post(url, { config, schema }, async request => {
    const control = citationOf(request.params);
    const { note } = request.body;
    return { note: await request.store.transaction(transaction => writeNote(transaction, control, note)) };
  });
}
