import type { System } from '../../../src/contract/systems.ts';

export const environmentLabels: Record<System['environment'], string> = {
  production: 'Production',
  staging: 'Staging',
  development: 'Development',
  test: 'Test',
};

export const kindLabels: Record<System['kind'], string> = {
  application: 'Application',
  site: 'Site',
  api: 'API',
};

/** For a choice. */
export function options<Value extends string>(labels: Record<Value, string>) {
  return Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));
}
