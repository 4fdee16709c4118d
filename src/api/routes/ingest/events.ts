import { documentedBatch, type EventChannel, IngestBatch, IngestReceipt } from '../../../contract/events.ts';
import { probeEvents } from '../../../contract/probe-events.ts';
import { shieldEvents } from '../../../contract/shield-events.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import type { ApiKey } from '../../../resources/keys/api-keys.ts';
import { describe } from '../../describe.ts';
import type { ApiServices } from '../../services.ts';
import { siftEvents } from './sift-events.ts';

const kinds = { events: probeEvents, shield: shieldEvents };

/** Adds an ingest function. Both accept the same batch, and store events by channel. */
export function ingestRoute(
  app: App,
  { storage, countEvents }: ApiServices,
  path: string,
  channel: EventChannel,
  summary: string,
): void {
  const schema = describe(summary, { body: IngestBatch, response: { 202: IngestReceipt } });
  const config = {
    scope: 'ingest',
    signedPathname: path,
    documentedBody: documentedBatch(kinds[channel]),
  } as const;
  app.post(path, { config, schema }, async (request, reply) => {
    const systemId = systemOf(request.apiKey, request.body.system_id);
    const isProbe = request.apiKey.systemId !== null;
    const { events, rejected } = siftEvents(request.body.events, { channel, isProbe });
    if (events.length === 0) {
      countEvents?.(channel, { accepted: 0, duplicates: 0, rejected: rejected.length });
      const fields = rejected.map(({ index, error }) => ({ path: `events.${index}`, message: error }));
      throw new Refusal('invalid_body', { fields });
    }
    const unique = [...new Map(events.map(event => [event.id, event])).values()];
    const { id: keyId, organizationId } = request.apiKey;
    const sent = { organizationId, systemId, channel, keyId, events: unique };
    const accepted = found(await storage.events.store(sent));
    const duplicates = events.length - accepted;
    countEvents?.(channel, { accepted, duplicates, rejected: rejected.length });
    return reply.code(202).send({ accepted, duplicates, rejected });
  });
}

/** A probe key is bound to its system; a dashboard key requires `system_id`. */
function systemOf(key: ApiKey, named?: string | null): string {
  named ??= undefined;
  if (key.systemId === null && named === undefined) {
    throw new Refusal('invalid_body', {
      fields: [{ path: 'system_id', message: 'is required with a dashboard key' }],
    });
  }
  if (key.systemId !== null && named !== undefined && named.toLowerCase() !== key.systemId) {
    throw new Refusal('invalid_body', {
      fields: [{ path: 'system_id', message: 'must be omitted or the system of the probe key' }],
    });
  }
  return (key.systemId ?? named)!;
}
