/** What a probe compares between two assessments. */
export const areaLabels: Readonly<Record<string, string>> = {
  setting: 'Setting',
  role: 'Role',
  grant: 'Grant',
  policy: 'Policy',
  extension: 'Extension',
  access_rule: 'Access rule',
  header: 'Header',
  certificate: 'Certificate',
};

export const changeLabels: Readonly<Record<string, string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
};
