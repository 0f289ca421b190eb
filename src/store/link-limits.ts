/**
 * How much later than its call a prompt may arrive, since the agent may be busy, and by how much clocks may
 * differ.
 */
export const LATEST_MS = 15 * 60_000
export const SLACK_MS = 2000
/** The maximum number of prompts of one file, paired with the calls that may have sent them. */
export const MOST_PAIRS = 5000
/**
 * The maximum number of sessions with the same opening that are compared. More would not change the result.
 */
export const MOST_ALIKE = 60
