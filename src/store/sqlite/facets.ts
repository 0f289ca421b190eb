/**
 * Properties that messages can be filtered by, as words in a column of the index. SQLite can then intersect
 * posting lists instead of reading each message.
 */
export const facet = {
  who: (who: number): string => `w${who}`,
  artifact: (id: number): string => `a${id}`,
  tool: (id: number): string => `t${id}`,
  question: 'q',
}

/** The facets of one message. */
export const facetsOf = (who: number, artifact: number, tool: number | null, text: string | null): string =>
  `w${who} a${artifact}${tool === null ? '' : ` t${tool}`}${who < 2 && text !== null && /[?\uff1f]/.test(text) ? ' q' : ''}`
