/** Length of a new password in characters (NIST SP 800-63B-4, section 3.1.1.2), bounded to limit the cost of Argon2id. */
export const passwordLength = { min: 12, max: 256 } as const;

/** Minimum zxcvbn score (0 to 4) of a new password: more than 10^10 guesses. */
export const leastPasswordScore = 4;
