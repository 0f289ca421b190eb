/** An escape, a character class, the opening of a group, a repetition, or one character. */
const piece =
  /\\(?:[pPk](?:\{[^}]*\}|<[^>]*>)|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/g
/** Higher repetition counts are treated as unbounded. */
const OFTEN = 50

interface Group {
  /** It contains an unbounded repetition, or two alternatives that can begin alike. */
  risky: boolean
  /** What its alternatives begin with. */
  starts: string[]
  atStart: boolean
}

/**
 * Whether a pattern repeats a group without bound that itself contains an unbounded repetition or ambiguous
 * alternatives, such as `(a+)*` and `(\w|\d)*`. On some texts, such a pattern takes exponential time. The
 * pattern must be valid.
 */
export function mayTakeForEver(pattern: string): boolean {
  const open: Group[] = [{ risky: false, starts: [], atStart: true }]
  const pieces = pattern.match(piece) ?? []
  for (const [at, each] of pieces.entries()) {
    const group = open.at(-1)!
    const endless = isEndless(pieces[at + 1])
    if (each.startsWith('(')) {
      if (group.atStart) group.starts.push('[\\s\\S]')
      group.atStart = false
      open.push({ risky: false, starts: [], atStart: true })
    } else if (each === ')') {
      open.pop()
      const risky = group.risky || mayBeginAlike(group.starts)
      if (risky && endless) return true
      const outside = open.at(-1)
      if (outside && (group.risky || endless)) outside.risky = true
    } else if (each === '|') group.atStart = true
    else {
      if (endless) group.risky = true
      if (group.atStart) group.starts.push(each)
      group.atStart = false
    }
  }
  return false
}

function isEndless(piece: string | undefined): boolean {
  if (piece === undefined) return false
  if (/^[*+]\??$/.test(piece)) return true
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(piece) ?? []
  if (least === undefined) return false
  return comma === ',' && most === '' ? true : Number(most === '' ? least : most) > OFTEN
}

function mayBeginAlike(starts: readonly string[]): boolean {
  const tests = starts.map((start) => new RegExp(`^(?:${/^[*+?{]/.test(start) ? '[\\s\\S]' : start})`))
  for (let code = 0x20; code < 0x7f && tests.length > 1; code++) {
    const character = String.fromCharCode(code)
    if (tests.filter((test) => test.test(character)).length > 1) return true
  }
  return false
}
