const untrusted = 'its certificate is not trusted: name the file of its authority in ca_file';

const explanations: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name has no address here',
  EAI_AGAIN: 'its name cannot be resolved now',
  ECONNREFUSED: 'nothing listens at its port',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  EPROTO: 'it does not speak TLS there, or refuses this client',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not yet valid: is the clock of this host right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/**
 * Why the service or a proxy, which the caller names, cannot be reached, for the person who runs an agent. Unknown errors are returned as
 * they are.
 */
export function explainFailure(error: Error): Error {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const explanation = explanations[code];
  return explanation ? new Error(`${explanation} (${code})`, { cause: error }) : error;
}
