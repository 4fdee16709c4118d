import sodium from 'sodium-native';

/**
 * Verifies an Ed25519 signature (RFC 8032). libsodium also rejects small-order public keys and non-canonical S values, which make
 * signatures malleable.
 */
export function verifyEd25519(signature: Buffer, message: Buffer, publicKey: Buffer): boolean {
  if (
    signature.length !== sodium.crypto_sign_BYTES ||
    publicKey.length !== sodium.crypto_sign_PUBLICKEYBYTES
  ) {
    return false;
  }
  return sodium.crypto_sign_verify_detached(signature, message, publicKey);
}
