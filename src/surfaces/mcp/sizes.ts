/** The size of an answer as agents see it, in bytes. */
export const USUAL_BYTES = 16 * 1024
export const LEAST_BYTES = 8 * 1024
export const MOST_BYTES = 64 * 1024
