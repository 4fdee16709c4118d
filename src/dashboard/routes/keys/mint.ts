import { AddressRangeError } from '../../../contract/address-ranges.ts';
import { MintApiKey, MintedApiKey } from '../../../contract/dashboard/keys.ts';
import type { FieldError } from '../../../contract/errors.ts';
import { normalizeAllowedAddresses } from '../../../domain/allowed-addresses.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { assertRoomForKey, findApiKey } from '../../../resources/keys/api-keys.ts';
import { mintApiKey } from '../../../resources/keys/mint-api-key.ts';
import { findSystem } from '../../../resources/systems/systems.ts';
import { organizationPath } from '../../organization-path.ts';

/** Creates a key, after a step-up (specification, section 2). Its three values appear only in this response. */
export function mintKeyRoute(app: App): void {
  const schema = { body: MintApiKey, response: { 201: MintedApiKey } };
  const config = { access: 'admin', stepUp: true } as const;
  const url = `${organizationPath}/keys`;
  app.post(url, { config, schema }, async (request, reply) => {
    const { name, kind, privileged = false, allowed_addresses = [] } = request.body;
    const systemId = request.body.system_id?.toLowerCase() ?? null;
    if (kind === 'probe' && !systemId) refuse('system_id', 'is required: a probe key is bound to one system');
    if (kind === 'probe' && privileged)
      refuse('privileged', 'is not available for probe keys, which only push events');
    if (kind === 'dashboard' && systemId)
      refuse('system_id', 'is not available for dashboard keys, which cover all systems');
    const allowedAddresses = normalized(allowed_addresses);
    const minted = await request.store.transaction(async transaction => {
      await assertRoomForKey(transaction);
      if (systemId) found(await findSystem(transaction, systemId));
      const { token, token_id, signing_key } = await mintApiKey(transaction, {
        name,
        kind,
        systemId,
        privileged,
        allowedAddresses,
      });
      return { key: found(await findApiKey(transaction, token_id)), token, token_id, signing_key };
    });
    return reply.code(201).send(minted);
  });
}

function normalized(entries: readonly string[]): string[] {
  try {
    return normalizeAllowedAddresses(entries);
  } catch (error) {
    if (!(error instanceof AddressRangeError)) throw error;
    return refuse('allowed_addresses', error.message);
  }
}

function refuse(path: FieldError['path'], message: string): never {
  throw new Refusal('invalid_body', { fields: [{ path, message }] });
}
