/** Path prefix of the routes of an organization. */
export const organizationPath = '/dashboard/api/organizations/:organization';
