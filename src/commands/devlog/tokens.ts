/** Loaded lazily, because the table of tokens is large. */
export async function createTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base')
  // Marks of the tokenizer in a transcript are text like any other.
  return (text) => countTokens(text, { disallowedSpecial: new Set() })
}
