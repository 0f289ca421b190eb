import { fileEdits } from '../../collect/read/file-edits.ts'
import { netChanges } from '../../collect/read/net-changes.ts'
import type { Evidence } from '../../devlog/evidence.ts'
import { cutText } from '../../devlog/sentences.ts'
import { type SourceSession, shownPath } from '../../devlog/turns.ts'
import { codeSpan, quoteMarkdown } from '../../render/markdown.ts'
import { printable } from '../../render/printable.ts'
import type { Context } from '../kit/context.ts'
import type { Loaded } from '../kit/load-sessions.ts'
import { faultOf } from '../kit/read-files.ts'
import { cleaner } from '../kit/read-messages.ts'

const MOST_FILES = 4
const MOST_CHARACTERS = 2500

/** The first and the last state of the files with the most edits, as far as the transcripts contain them. */
export function codeOf(
  { files }: Evidence,
  sources: readonly SourceSession[],
  { artifacts }: Loaded,
  context: Context,
): string {
  const clean = cleaner(context.redact)
  const known = new Map(artifacts.map((artifact) => [artifact.path, artifact]))
  const edits = sources.flatMap(({ session }) => {
    const artifact = known.get(session.path)
    if (!artifact || session.goneMs !== undefined) return []
    try {
      return fileEdits(artifact).map((edit) => ({ ...edit, session: session.id }))
    } catch (error) {
      context.note(`${session.path} ${faultOf(error)}`, 'partly')
      return []
    }
  })
  const changes = new Map(netChanges(edits).map((change) => [change.path, change]))
  const sections = files.flatMap(({ path }) => {
    const change = changes.get(path)
    if (!change) return []
    const state = (title: string, text: string): string =>
      `${title}:\n\n${quoteMarkdown(fenced(cutText(printable(clean(text)), MOST_CHARACTERS)))}`
    const { whole, pieces } = change
    const states = whole
      ? [
          whole.first === null ? 'New.' : state('First', whole.first),
          whole.last === null ? 'Deleted.' : state('Last', whole.last),
        ]
      : pieces
          .slice(-2)
          .flatMap(({ before, after }) => [state('Before an edit', before), state('After it', after)])
    return [`### ${codeSpan(clean(shownPath(path, sources[0]!.session)))}\n\n${states.join('\n\n')}`]
  })
  return sections.slice(0, MOST_FILES).join('\n\n') || 'The transcripts contain no state of a file.'
}

/** In a fence that nothing in the text can close. */
function fenced(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.trimEnd()}\n${fence}`
}
