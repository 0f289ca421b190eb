import type { CitedRecord, Material } from './material.ts'

const EXTENSIONS =
  'ts|tsx|js|jsx|mjs|cjs|json|jsonl|md|mdx|txt|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|sql|yml|yaml|toml|ini|cfg|conf|env|html|css|scss|less|vue|svelte|xml|csv|lock|log|ipynb|lua|ex|exs|dart|proto|tf|gradle|png|svg|pdf'
const FILE = new RegExp(
  `(?<![\\p{L}\\p{N}_:/@-])(?:~?[\\p{L}\\p{N}_.@-]*[/\\\\])*[\\p{L}\\p{N}_.@-]+\\.(?:${EXTENSIONS})(?![\\p{L}\\p{N}_/])|(?<![\\p{L}\\p{N}_:/])~?/(?:[\\p{L}\\p{N}_.@-]+/)+[\\p{L}\\p{N}_.@-]*`,
  'gu',
)
/** Names of programs that look like files. */
const PROGRAM = /^(?:Node|Vue|Next|Nuxt|Express|Three|D3|Chart|Alpine|Socket|Ember|Backbone)\.(?:js|io)$/

/** The file names and paths in a text. */
export const filesIn = (text: string): string[] =>
  [...text.matchAll(FILE)].map(([path]) => path).filter((path) => !PROGRAM.test(path))

const contains = (text: string, path: string): boolean => text.toLowerCase().includes(path.toLowerCase())

/** Whether the records name a file, or belong to what is known about it. */
export function holdsFile(path: string, records: readonly CitedRecord[], { evidence }: Material): boolean {
  if (records.some(({ text }) => contains(text, path))) return true
  const isCited = (citation: { path: string; line: number }): boolean =>
    records.some((record) => record.citation.path === citation.path && record.citation.line === citation.line)
  const ofFile = evidence.files.some(
    (file) => file.path.endsWith(path) && [file.first, file.last, ...file.asked].some(isCited),
  )
  return (
    ofFile ||
    evidence.phases.some(
      ({ files, asked, result }) =>
        files.some((file) => file.path.endsWith(path)) &&
        (isCited(asked) || (result !== null && isCited(result))),
    )
  )
}
