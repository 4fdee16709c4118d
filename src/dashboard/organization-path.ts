import { Type } from 'typebox';

/** Where the routes of an organization begin. */
export const organizationPath = '/dashboard/api/organizations/:organization';

/** Of a route that names an object of the organization. */
export const ObjectParams = Type.Object({ organization: Type.String(), id: Type.String() });
