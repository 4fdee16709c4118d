/** Where the routes of an organization begin. */
export const organizationPath = '/dashboard/api/organizations/:organization';
