/** How the page names speakers. */
export const NAMES: Record<string, string> = { human: 'You', agent: 'Agent', program: 'Program' }

/** Speakers by their letters in a shape. */
export const WHO: Record<string, string> = { h: 'human', a: 'agent', p: 'program' }
