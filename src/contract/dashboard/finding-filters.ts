import { type Static, Type } from 'typebox';
import { findingStatuses } from '../findings.ts';
import { severities } from '../severity.ts';
import { choice, closed, Day, form, page, several, Timestamp, text, Uuid } from '../values.ts';

/** A time: a moment, the start of a day (UTC), or so many days ago. */
const since = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: 4, ...form('^[1-9][0-9]{0,2}d$', 'must be a number of days, such as 7d') }),
        Day,
        Timestamp,
      ],
      { description: `${description} A time, a date (UTC), or days ago such as \`7d\`.` },
    ),
  );

/** Filters of a list of findings. Multiple values of one field are separated by commas. */
export const filters = {
  severity: Type.Optional(several(severities)),
  status: Type.Optional(several(findingStatuses)),
  category: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$',
      description: 'A category or a dotted prefix. `hipaa` matches checks that map to a HIPAA safeguard.',
    }),
  ),
  system_id: Type.Optional(Uuid),
  source_id: Type.Optional(Uuid),
  search: Type.Optional(text(200, 'Part of the title, category or location. Case-insensitive.')),
  reopened: Type.Optional(choice(['yes'], 'Only findings that were resolved and observed again.')),
  owner: Type.Optional(
    Type.Union([choice(['me', 'none']), Uuid], { description: 'The owner: `me`, `none`, or a person.' }),
  ),
  due: Type.Optional(
    choice(['overdue', 'week'], 'Open findings that are overdue, or due today or in the next 7 days (UTC).'),
  ),
  new_since: since('Detected for the first time since.'),
  reopened_since: since('Detected again since.'),
  changed_since: since('Detected, resolved, triaged, assigned, commented or given a due date since.'),
};
export const FindingFilters = closed(filters);
export type FindingFilters = Static<typeof FindingFilters>;

const findingOrders = ['worst', 'due', 'newest', 'last_seen'] as const;
const order = Type.Optional(
  choice(
    findingOrders,
    'worst (default): by severity, then newest. due: first due first, those without a date last. last_seen: most recently observed first.',
  ),
);

export const ListFindings = closed({ ...filters, order, cursor: page.cursor });
export type ListFindings = Static<typeof ListFindings>;
