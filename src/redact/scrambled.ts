/**
 * For each letter, those that often follow it in English words and in names of programs, as bits: 277 pairs,
 * each at least 0.04 % of the pairs in 62,633 words of type declarations and documentation.
 */
const following =
  'exmcu vaxd b65qt vaxl jcoe7 b0ilt vkk1 10vm9 qsynz 5yxc 5mhc b3bq1 t8nn 2fou5 9y6b3 178up mh34 cg2nz dm1f9 b64yd kolb cup 8yoh by1g 6uq8 h'
    .split(' ')
    .map((bits) => Number.parseInt(bits, 36))

/** What share of the pairs is rare in random letters: of a word in mixed case, and of one in one case. */
const RARE = 0.4
const RARE_IN_ONE_CASE = 0.5

/**
 * Whether letters alone look random: `wLhqqAFutShQ`, but not `hasFeatureKey` or `correcthorse`. At least 10
 * letters, 12 in one case. Of random letters it recognizes nine in ten, of names in mixed case one in 600.
 */
export function isScrambled(value: string): boolean {
  if (!/^[A-Za-z]{10,128}$/.test(value)) return false
  const isMixed = /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value)
  if (!isMixed && value.length < 12) return false
  const letters = Array.from(value.toLowerCase(), (letter) => letter.charCodeAt(0) - 97)
  const rare = letters.filter((letter, at) => at > 0 && !((following[letters[at - 1]!]! >> letter) & 1))
  return (
    rare.length >= (letters.length - 1) * (isMixed ? RARE : RARE_IN_ONE_CASE) && new Set(letters).size > 5
  )
}
