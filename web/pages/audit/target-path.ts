import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import type { useOrganizationPaths } from '../../paths.ts';

type Paths = Pick<ReturnType<typeof useOrganizationPaths>, 'section' | 'object'>;

/** The page that shows the target of an entry; undefined if there is none. */
export function targetPath({ kind, id }: AuditEntry['object'], to: Paths): string | undefined {
  switch (kind) {
    case 'source':
      return to.object('sources', id);
    case 'scan':
      return to.object('scans', id);
    case 'system':
      return to.section('systems');
    case 'finding':
      return to.section('findings', { status: 'any', finding: id });
    case 'control':
      return to.section('controls', { control: id });
    case 'evidence':
      return to.section('evidence');
    case 'key':
      return to.section('settings/keys');
    case 'person':
    case 'invitation':
      return to.section('settings/people');
    default:
      return undefined;
  }
}
