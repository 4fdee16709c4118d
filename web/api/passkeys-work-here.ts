/** Passkeys belong to names, not to addresses of machines, and need a connection that nobody changes. */
export const passkeysWorkHere = isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);
