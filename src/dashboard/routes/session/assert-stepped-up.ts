import { closed, NullableTimestamp } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';

/** Checked before downloads that require a step-up, since the browser sends those itself and could not retry. */
export function assertSteppedUpRoute(app: App): void {
  const schema = { response: { 200: closed({ stepped_up_until: NullableTimestamp }) } };
  const config = { access: 'person', stepUp: true } as const;
  app.get('/dashboard/api/step-up', { config, schema }, async request => ({
    stepped_up_until: request.session!.steppedUpUntil,
  }));
}
