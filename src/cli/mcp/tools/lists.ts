import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Finding, ListFindingsQuery } from '../../../contract/findings.ts';
import { Scan } from '../../../contract/scans.ts';
import { Source } from '../../../contract/sources.ts';
import { System } from '../../../contract/systems.ts';
import { closed } from '../../../contract/values.ts';
import { requestJson } from '../../request-json.ts';
import { pageParameters } from '../schemas.ts';
import { reads, type Tool, tool } from '../tool.ts';
import { cleaned } from '../untrusted.ts';

const longestText = 300;

interface List<Item extends TObject> {
  /** In paths, and in answers. */
  readonly name: string;
  readonly description: string;
  readonly filters?: TProperties;
  readonly item: Item;
  /** One line for an item, with text of others in quotes. */
  readonly line: (item: Static<Item>) => string;
}

/** `remediation` is left out: a page of them fills the context of an assistant. */
const { remediation: _, ...findingFields } = Finding.properties;
const { limit: _limit, cursor: _cursor, ...findingFilters } = ListFindingsQuery.properties;

export const listTools: readonly Tool[] = [
  listTool({
    name: 'systems',
    description: 'List the systems (applications and sites) of the organization, newest first.',
    item: System,
    line: ({ id, name, kind, environment, approved }) =>
      `${id} ${kind} ${environment}${approved ? '' : ' not approved'} ${quoted(name)}`,
  }),
  listTool({
    name: 'sources',
    description:
      'List the sources (websites and databases) of all systems, newest first. Scans only cover sources with scan_authorized_at.',
    item: Source,
    line: ({ id, kind, status, scan_authorized_at, host, name, system_id }) =>
      `${id} ${kind} ${status} ${scan_authorized_at ? 'authorized for scans' : 'not authorized for scans'} ${quoted(host)} ${quoted(name)} of system ${system_id}`,
  }),
  listTool({
    name: 'findings',
    description:
      'List findings (checks that failed at one place of a source), newest first. Filter by status open for what is to be fixed. get_finding returns the reason and the fix of one.',
    filters: findingFilters,
    item: closed(findingFields),
    line: describeFinding,
  }),
  listTool({
    name: 'scans',
    description: 'List scans, newest first, with status and verdict. get_scan returns the runs of one.',
    item: Scan,
    line: ({ id, status, verdict, created_at, runs_succeeded, runs_planned }) =>
      `${id} ${status}, verdict ${verdict ?? 'none yet'}, ${runs_succeeded} of ${runs_planned} runs succeeded, requested ${created_at}`,
  }),
];

function listTool<Item extends TObject>({ name, description, filters, item, line }: List<Item>): Tool {
  return tool({
    ...reads,
    name: `list_${name}`,
    title: `List ${name}`,
    description,
    input: closed({ ...filters, ...pageParameters }),
    output: {
      [name]: Type.Array(item),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Pass as cursor, with the same filters, for the next page. Null on the last page.',
      }),
    },
    longestText,
    run: async (parameters, { client, signal }) => {
      const query = new URLSearchParams({ limit: '25' });
      for (const [field, value] of Object.entries(parameters)) query.set(field, String(value));
      type Page = Readonly<Record<string, Static<Item>[]>> & { readonly next_cursor: string | null };
      const page = await requestJson<Page>(client, 'GET', `/api/v1/${name}?${query}`, { signal });
      const items = page[name]!.map(row => only(item, row));
      const more = page.next_cursor === null ? '' : ` More follow: pass cursor ${page.next_cursor}.`;
      return {
        data: { [name]: items, next_cursor: page.next_cursor },
        summary: `${items.length} ${items.length === 1 ? name.slice(0, -1) : name}.${more}`,
        lines: items.map(line),
      };
    },
  });
}

/** The fields of the schema: a newer service may answer with more. */
export function only<Item extends TObject>(schema: Item, row: Static<Item>): Static<Item> {
  const fields = Object.entries(row as object).filter(([field]) => field in schema.properties);
  return Object.fromEntries(fields) as Static<Item>;
}

export function describeFinding(finding: Omit<Finding, 'remediation'>): string {
  const { id, severity, status, category, title } = finding;
  return `${id} ${severity} ${status} ${category} ${quoted(title)}`;
}

/** On one line. Cleaned before, since the quotes would keep control characters as escapes. */
function quoted(text: string): string {
  return JSON.stringify(cleaned(text, longestText).value);
}
