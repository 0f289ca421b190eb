import * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import type { StoredDocument } from '../store/store.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { freshStore } from './fresh-store.ts'
import { noteUnreadable } from './load.ts'
import { chooseDocuments, dayOf, inOrder, kindOf, ownerOf } from './memory-find.ts'
import { memoryPieces } from './memory-text.ts'
import { lastChange, lastPatch, versionAt } from './memory-versions.ts'
import { noticesOf, noticesShape, scannedOf, scannedShape } from './scanned.ts'
import { parseTime } from './time.ts'

const documentShape = () =>
  z.object({
    name: z.string(),
    platform: z.string(),
    agent: z.string(),
    project: z.nullable(z.string()),
    kind: z.enum(['memory', 'log', 'note', 'personality', 'instructions']),
    day: z.nullable(z.string()),
    path: z.string(),
    bytes: z.number(),
    modifiedAt: z.string(),
    versions: z.number(),
    change: z.nullable(z.object({ since: z.string(), added: z.number(), removed: z.number() })),
    goneSince: z.optional(z.string()),
    text: z.optional(z.string()),
    diff: z.optional(z.string()),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    documents: z.array(documentShape()),
  })

export type MemoryAnswer = z.output<ReturnType<typeof output>>
export type DocumentJson = z.output<ReturnType<typeof documentShape>>

export const memory = defineCommand({
  name: 'memory',
  summary: 'what agents keep to remember: daily logs, memory, personality, and how it changed',
  details:
    'Of OpenClaw the texts in the workspace of every agent, of Claude Code the notes of every project. A version is kept whenever ' +
    'a text is found changed, secrets taken out. To search in them: scrollback search who:memory <words>',
  examples: [
    { command: 'scrollback memory', tells: 'every text of every agent, with sizes and what changed' },
    { command: 'scrollback memory main', tells: 'of one agent, or of one project' },
    { command: 'scrollback memory main SOUL', tells: 'one text, by a part of its name' },
    { command: 'scrollback memory --diff', tells: 'what changed from the last version to this one' },
    { command: 'scrollback memory main --at 2026-11-01', tells: 'what it remembered then' },
  ],
  input: z.object({
    owner: field.text({ description: 'an agent, or a part of the name of a project', positional: true }),
    file: field.text({ description: 'a part of the name of a text, to show it', positional: true }),
    diff: field.flag({ description: 'what changed last, line by line' }),
    at: field.text({ description: 'the texts as they were: 2026-01-31, 7d', placeholder: 'time' }),
  }),
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
    const roots = new Set(found.roots.map(({ path }) => path))
    const all = store.documents().filter(({ artifact }) => roots.has(artifact.root))
    const chosen = inOrder(chooseDocuments(all, input.owner, input.file))
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
      version: 1,
      scanned: scannedOf(found),
      notices: noticesOf(found),
      total: documents.length,
      documents,
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

function rowOf(document: StoredDocument): Omit<DocumentJson, 'bytes' | 'modifiedAt' | 'change'> {
  const { artifact, goneMs, versions } = document
  return {
    name: artifact.sessionId,
    platform: artifact.platform,
    agent: artifact.agent,
    project: artifact.slug === undefined ? null : ownerOf(document),
    kind: kindOf(document),
    day: dayOf(document) ?? null,
    path: artifact.path,
    versions: versions.length,
    ...(goneMs === undefined ? {} : { goneSince: new Date(goneMs).toISOString() }),
  }
}

/** A day means its end: what was written on it belongs to it. */
const timeOf = (text: string | undefined, { now }: Context): number | undefined =>
  text === undefined ? undefined : parseTime(text, 'until', now)
