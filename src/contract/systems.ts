import { type Static, Type } from 'typebox';
import { choice, closed, list, optional, page, text, Uuid } from './values.ts';

const environments = ['production', 'staging', 'development', 'test'] as const;
const systemKinds = ['application', 'site', 'api'] as const;

/** An application or site of an organization. */
export const System = closed({
  id: Uuid,
  name: Type.String(),
  external_id: Type.Union([Type.String(), Type.Null()], {
    description: 'ID assigned by the client, unique in the organization.',
  }),
  environment: choice(environments),
  kind: choice(systemKinds),
  approved: Type.Boolean({
    description: 'Whether an owner or admin approved the system. False for a new system created with a key.',
  }),
});
export type System = Static<typeof System>;

export const CreateSystem = closed({
  name: text(200),
  environment: choice(environments),
  kind: choice(systemKinds),
  external_id: optional(text(200)),
});
export type CreateSystem = Static<typeof CreateSystem>;

export const ListSystemsQuery = closed(page);
export const SystemList = list('systems', System);
export const SystemEnvelope = closed({ system: System });
