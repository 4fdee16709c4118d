/** Characters of a new password (NIST SP 800-63B-4, section 3.1.1.2); bounded, since Argon2id works in proportion. */
export const passwordLength = { min: 12, max: 256 } as const;

/** zxcvbn's estimate that a new password must reach, of 0 to 4: more than 10^10 guesses. */
export const leastPasswordScore = 4;
