import { type Static, Type } from 'typebox';
import { choice, closed, list, optional, page, text, Uuid } from './values.ts';

const environments = ['production', 'staging', 'development', 'test'] as const;
const systemKinds = ['application', 'site', 'api'] as const;

/** An application or site that is inspected. */
export const System = closed({
  id: Uuid,
  name: Type.String(),
  external_id: Type.Union([Type.String(), Type.Null()], {
    description: "The client's own id, unique in the organization.",
  }),
  environment: choice(environments),
  kind: choice(systemKinds),
  approved: Type.Boolean({
    description: 'An owner or admin has confirmed the system. False for those that a key creates.',
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
