/** The part of the libsodium binding that Parapet uses. */
declare module 'sodium-native' {
  const sodium: {
    readonly crypto_sign_BYTES: number;
    readonly crypto_sign_PUBLICKEYBYTES: number;
    crypto_sign_verify_detached(signature: Buffer, message: Buffer, publicKey: Buffer): boolean;
  };
  export default sodium;
}
