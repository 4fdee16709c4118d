import { AddressRangeError } from '../../../contract/address-ranges.ts';
import { MintApiKey, MintedApiKey } from '../../../contract/dashboard/keys.ts';
import type { FieldError } from '../../../contract/errors.ts';
import { normalizeAllowedAddresses } from '../../../domain/allowed-addresses.ts';
import { problemOfKey } from '../../../domain/key-request.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { scopesOf } from '../../../domain/scopes.ts';
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
    const { name, kind, privileged = false, scopes, allowed_addresses = [] } = request.body;
    const systemId = request.body.system_id?.toLowerCase() ?? null;
    const expiresAt = request.body.expires_at ? new Date(request.body.expires_at) : undefined;
    const problem = problemOfKey({ kind, systemId, privileged, scopes, expiresAt }, new Date());
    if (problem) refuse(problem);
    const allowedAddresses = normalized(allowed_addresses);
    const minted = await request.store.transaction(async transaction => {
      await assertRoomForKey(transaction);
      if (systemId) found(await findSystem(transaction, systemId));
      const { token, token_id, signing_key } = await mintApiKey(transaction, {
        name,
        kind,
        systemId,
        scopes: scopesOf(kind, { privileged, ...(scopes ? { chosen: scopes } : {}) }),
        expiresAt,
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
    return refuse({ path: 'allowed_addresses', message: error.message });
  }
}

function refuse(problem: FieldError): never {
  throw new Refusal('invalid_body', { fields: [problem] });
}
