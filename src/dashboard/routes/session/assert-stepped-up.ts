import { closed, NullableTimestamp } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';

/** Asked before a download that takes a step-up, which the browser does by itself and could not repeat. */
export function assertSteppedUpRoute(app: App): void {
  const schema = { response: { 200: closed({ stepped_up_until: NullableTimestamp }) } };
  const config = { access: 'person', stepUp: true } as const;
  app.get('/dashboard/api/step-up', { config, schema }, async request => ({
    stepped_up_until: request.session!.steppedUpUntil,
  }));
}
