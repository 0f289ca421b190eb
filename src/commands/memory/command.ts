import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import type { Notice } from '../../model/artifact.ts'
import type { StoredDocument } from '../../store/stored.ts'
import { type Context, defineCommand } from '../kit/command.ts'
import { field } from '../kit/fields.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { noteUnreadable } from '../kit/load.ts'
import { noticesOf, scannedOf } from '../kit/scanned.ts'
import { parseTime } from '../kit/time.ts'
import { type MemoryAnswer, output } from './answer.ts'
import { asWritten, chooseDocuments, inOrder } from './find.ts'
import { recalled } from './recall.ts'
import { type DocumentJson, rowOf } from './row.ts'
import { loadSemantic, semanticJson } from './semantic.ts'
import { memoryPieces } from './text.ts'
import { lastChange, lastPatch, versionAt } from './versions.ts'

const input = z.object({
  owner: field.text({ description: 'an agent, or part of the name of a project', positional: true }),
  file: field.text({ description: 'part of the name of a text to show', positional: true }),
  diff: field.flag({ description: 'show the last change, line by line' }),
  at: field.text({ description: 'show the texts as they were: 2026-01-31, 7d', placeholder: 'time' }),
  recall: field.text({ description: 'search the semantic memory for these words', placeholder: 'words' }),
  limit: field.count({ description: 'with --recall, at most n chunks (20); 0 = all', placeholder: 'n' }),
})

export const memory = defineCommand({
  name: 'memory',
  summary: 'show what agents remember: daily logs, memory, personality, and how they changed',
  details:
    'Lists the documents in the workspaces of agents, and their notes on projects. Each change is stored ' +
    'as a version, with secrets redacted. To search the texts: scrollback search who:memory <words>. Below the list are the indexes that ' +
    'agents search their memory with, and whether they are outdated; --recall searches them as the agent would, without vectors.',
  examples: [
    { command: 'scrollback memory', tells: 'list every text of every agent, with sizes and changes' },
    { command: 'scrollback memory main', tells: 'list the texts of one agent or project' },
    { command: 'scrollback memory main SOUL', tells: 'show a text, by part of its name' },
    { command: 'scrollback memory --diff', tells: 'show the last change' },
    { command: 'scrollback memory main --at 2026-11-01', tells: 'show the texts as they were then' },
    { command: 'scrollback memory main --recall "teapots"', tells: 'search its semantic memory' },
  ],
  input,
  output,
  run(input, context): MemoryAnswer {
    const fresh = freshStore(context)
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        '--no-redact: not available for memory, because the store contains no secrets',
        'Open the files yourself. To list them: scrollback memory --json',
      )
    const { store, found } = fresh
    noteUnreadable(found, context)
    const semantic = asksSemantic(input) ? loadSemantic(found, input.owner, context) : undefined
    if (semantic && input.recall !== undefined) {
      const { recall: words, file, limit } = input
      const notices = [...semantic.notices]
      const recall = recalled(semantic.chosen, { words, file, limit }, notices, context)
      return { ...about(notices), total: 0, documents: [], semantic: [], recall }
    }
    const roots = new Set(found.roots.map(({ path }) => path))
    const stored = store.documents().filter(({ artifact }) => roots.has(artifact.root))
    const all = context.globalFlags?.demo ? asWritten(stored, context.now) : stored
    const chosen = inOrder(
      chooseDocuments(all, input.owner, input.file, semantic && semantic.chosen.length > 0),
    )
    const at = timeOf(input.at, context)
    const documents = chosen.flatMap((document): DocumentJson | [] => {
      const version = at === undefined ? document.versions.at(-1) : versionAt(document, at)
      if (!version) return []
      const wanted = at !== undefined || (input.file !== undefined && !input.diff)
      const patch = input.diff ? lastPatch(store, document) : undefined
      if (input.diff && patch === undefined) return []
      return {
        ...rowOf(document),
        bytes: version.bytes,
        modifiedAt: new Date(version.at).toISOString(),
        change: changeOf(document),
        ...(wanted ? { text: store.documentText(document.id, version.number) } : {}),
        ...(patch === undefined ? {} : { diff: patch }),
      }
    })
    return {
      ...about(semantic?.notices ?? []),
      total: documents.length,
      documents,
      semantic: semantic?.chosen.map((each) => semanticJson(each, context)) ?? [],
    }

    function about(notices: readonly Notice[]): Pick<MemoryAnswer, 'version' | 'scanned' | 'notices'> {
      const all = [...found.notices, ...notices]
      return { version: 1, scanned: scannedOf(found), notices: noticesOf({ ...found, notices: all }) }
    }

    function changeOf(document: StoredDocument): DocumentJson['change'] {
      const change = lastChange(store, document)
      if (!change) return null
      const { from, added, removed } = change
      return { since: new Date(from).toISOString(), added, removed }
    }
  },
  render: memoryPieces,
})

/** Only the list and `--recall` use semantic memory. */
const asksSemantic = ({
  file,
  diff,
  at,
  recall,
}: Pick<z.output<typeof input>, 'file' | 'diff' | 'at' | 'recall'>): boolean =>
  recall !== undefined || (file === undefined && !diff && at === undefined)

/** A day means its end, so that it includes what was written on it. */
const timeOf = (text: string | undefined, { now }: Context): number | undefined =>
  text === undefined ? undefined : parseTime(text, 'until', now)
