import { smallest } from '../../model/iteration.ts'

/**
 * What `workspace.yaml` calls its session: a name that a person or the model chose, or the first prompt. The
 * value is a scalar in any of YAML's forms, so no library is needed for it. The other fields are passed over.
 *
 * @example
 * nameIn("id: a\nname: 'Oven: night'\nuser_named: true\n") // 'Oven: night'
 */
export function nameIn(yaml: string): string | undefined {
  const lines = yaml.split(/\r?\n/)
  const start = lines.findIndex((line) => /^name:(?:\s|$)/.test(line))
  if (start < 0) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^\S/.test(line))
  const [first = '', ...others] = [
    lines[start]!.slice('name:'.length).trim(),
    ...rest.slice(0, end < 0 ? undefined : end),
  ]
  return scalarIn(first, others) || undefined
}

/** The text of a scalar: what follows the colon, and the indented lines below it. */
function scalarIn(first: string, others: readonly string[]): string {
  const block = /^([|>])[+-]?\d?[+-]?\s*$/.exec(first)?.[1]
  if (block !== undefined) {
    const indent = smallest(others.flatMap((line) => (line.trim() === '' ? [] : line.search(/\S/))))
    const lines = others.map((line) => line.slice(indent))
    return (block === '|' ? lines.join('\n') : folded(lines)).trim()
  }
  const text = folded([first, ...others].map((line) => line.trim())).trim()
  if (text.startsWith("'")) return text.slice(1, text.lastIndexOf("'")).replaceAll("''", "'")
  if (text.startsWith('"')) return unescaped(text.slice(1, text.lastIndexOf('"')))
  return text === 'null' || text === '~' ? '' : text.replace(/\s#.*$/, '')
}

/** Line breaks are spaces, and an empty line is a line break. */
const folded = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n(\n*)/g, (_, empty: string) => empty || ' ')
    .replaceAll('\\ ', '')

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', ' ': ' ' }

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (_, byte?: string, unit?: string, point?: string, letter = '') => {
      const code = byte ?? unit ?? point
      if (code === undefined) return ESCAPES[letter] ?? letter
      const value = Number.parseInt(code, 16)
      return value > 0x10ffff ? '\uFFFD' : String.fromCodePoint(value)
    },
  )
