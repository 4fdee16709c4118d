/** Browsers offer passkeys to host names over secure connections, not to IP addresses. */
export const passkeysSupported = isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);
