import sodium from 'sodium-native';

/**
 * Whether the signature is that of the message by the public key (RFC 8032). libsodium refuses what a lenient verifier
 * lets pass: public keys of small order, and signatures whose S is not reduced, which would give a second valid
 * signature for the same message.
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
