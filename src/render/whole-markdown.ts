/** Numbers and marks of list items that are drawn as such: `[x]`. */
const TASK = /^([^\S\n]*(?:[-*+]|\d{1,9}[.)])[^\S\n]+)\[[xX]\]/gm
const LETTER = /[\p{L}\p{N}]/u

/**
 * Whether letters or digits of a text are missing in what is drawn of it. Markdown has forms that show
 * nothing: definitions, cells beyond the last column, the title of a link.
 */
export function losesLetters(text: string, drawn: string): boolean {
  const left = new Map<string, number>()
  for (const letter of drawn) left.set(letter, (left.get(letter) ?? 0) + 1)
  for (const letter of text.replace(TASK, '$1')) {
    if (!LETTER.test(letter)) continue
    const count = left.get(letter) ?? 0
    if (count === 0) return true
    left.set(letter, count - 1)
  }
  return false
}

/** What Markdown escapes for itself. Elsewhere a backslash belongs to the words: `\,` in a formula. */
const ESCAPED = /^\\[*_`#~<>|+\-.]$/

/**
 * A formula, as LaTeX writes it: `$x_1$`, `$$…$$`, `\\(…\\)`, `\\[…\\]`. A dollar sign before a space,
 * and one before a digit that would end a formula, is a price.
 */
const FORMULA =
  /^(?:\$\$(?!\$)[^$]{1,2000}\$\$|\$(?![\s$])(?:[^$\\\n]|\\.)*(?<![\s\\])\$(?!\d)|\\\((?:[^\\]|\\(?!\))){1,1000}\\\)|\\\[(?:[^\\]|\\(?!\])){1,1000}\\\])/

/** Formulas stay as they are written: their signs are none of Markdown's. */
const formula = {
  name: 'formula',
  level: 'inline' as const,
  start: (text: string): number | undefined => /\$|\\[([]/.exec(text)?.index,
  tokenizer(text: string) {
    const raw = FORMULA.exec(text)?.[0]
    return raw === undefined ? undefined : { type: 'text', raw, text: raw }
  },
}

/** What differs from Markdown, so that a message is shown as a whole. */
export const wholeMarkdown = {
  gfm: true,
  extensions: [formula],
  tokenizer: {
    // A definition shows nothing, and is mostly none: `[urgent]: stop`.
    def: () => undefined,
    escape(source: string) {
      const raw = /^\\[!-/:-@[-`{-~]/.exec(source)?.[0]
      if (raw === undefined) return undefined
      return { type: 'escape' as const, raw, text: ESCAPED.test(raw) ? raw.slice(1) : raw }
    },
  },
}

/** The number that an item of an ordered list begins with. */
export const numberOf = (item: string): number | undefined => {
  const [, digits] = /^\s*(\d{1,9})[.)]/.exec(item) ?? []
  return digits === undefined ? undefined : Number(digits)
}
