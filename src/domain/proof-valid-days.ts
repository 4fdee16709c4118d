/** Days for which the proof of a domain counts. */
export const proofValidDays = 30;
