/** Scripts that write without spaces. Two characters count as one word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
const WORD = /[\p{L}\p{N}]+(?:['’._-][\p{L}\p{N}]+)*/gu
const MAYBE_DENSE = /[\u0e00-\u9fff]/

/** Counts the words of a text. */
export function countWords(text: string): number {
  if (!MAYBE_DENSE.test(text)) return text.match(WORD)?.length ?? 0
  const dense = text.match(DENSE)?.length ?? 0
  return Math.ceil(dense / 2) + (text.replace(DENSE, ' ').match(WORD)?.length ?? 0)
}
