import * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import type { Notice } from '../model/artifact.ts'
import type { StoredDocument } from '../store/store.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { freshStore } from './fresh-store.ts'
import { noteUnreadable } from './load.ts'
import { chooseDocuments, inOrder } from './memory-find.ts'
import { recalled, recallShape } from './memory-recall.ts'
import { type DocumentJson, documentShape, rowOf } from './memory-row.ts'
import { loadSemantic, semanticJson, semanticShape } from './memory-semantic.ts'
import { memoryPieces } from './memory-text.ts'
import { lastChange, lastPatch, versionAt } from './memory-versions.ts'
import { noticesOf, noticesShape, scannedOf, scannedShape } from './scanned.ts'
import { parseTime } from './time.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    documents: z.array(documentShape()),
    semantic: z.array(semanticShape()),
    recall: z.optional(recallShape()),
  })

export type MemoryAnswer = z.output<ReturnType<typeof output>>

const input = z.object({
  owner: field.text({ description: 'an agent, or a part of the name of a project', positional: true }),
  file: field.text({ description: 'a part of the name of a text, to show it', positional: true }),
  diff: field.flag({ description: 'what changed last, line by line' }),
  at: field.text({ description: 'the texts as they were: 2026-01-31, 7d', placeholder: 'time' }),
  recall: field.text({ description: 'chunks of the semantic memory with these words', placeholder: 'words' }),
  limit: field.count({ description: 'with --recall, at most n chunks (20); 0 = all', placeholder: 'n' }),
})

export const memory = defineCommand({
  name: 'memory',
  summary: 'what agents keep to remember: daily logs, memory, personality, and how it changed',
  details:
    'Of OpenClaw the texts in the workspace of every agent, of Claude Code the notes of every project. A version is kept whenever ' +
    'a text is found changed, secrets taken out. To search in them: scrollback search who:memory <words>. Below the list stands what ' +
    'agents find their memory by, and what changed since it was made; --recall asks it as the agent would, without vectors.',
  examples: [
    { command: 'scrollback memory', tells: 'every text of every agent, with sizes and what changed' },
    { command: 'scrollback memory main', tells: 'of one agent, or of one project' },
    { command: 'scrollback memory main SOUL', tells: 'one text, by a part of its name' },
    { command: 'scrollback memory --diff', tells: 'what changed from the last version to this one' },
    { command: 'scrollback memory main --at 2026-11-01', tells: 'what it remembered then' },
    { command: 'scrollback memory main --recall "teapots"', tells: 'what it finds in its semantic memory' },
  ],
  input,
  output,
  run(input, context): MemoryAnswer {
    const fresh = freshStore(context)
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        'memory answers from the store, which holds no secrets: --no-redact has nothing to show here',
        'The files themselves are yours to open: scrollback memory --json names them.',
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
    const all = store.documents().filter(({ artifact }) => roots.has(artifact.root))
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

/** Only the list tells of it, and who recalls. */
const asksSemantic = ({
  file,
  diff,
  at,
  recall,
}: Pick<z.output<typeof input>, 'file' | 'diff' | 'at' | 'recall'>): boolean =>
  recall !== undefined || (file === undefined && !diff && at === undefined)

/** A day means its end: what was written on it belongs to it. */
const timeOf = (text: string | undefined, { now }: Context): number | undefined =>
  text === undefined ? undefined : parseTime(text, 'until', now)
