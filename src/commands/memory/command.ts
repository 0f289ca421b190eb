import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import type { Notice } from '../../model/artifact.ts'
import { largest } from '../../model/lists.ts'
import { counted } from '../../render/counted.ts'
import type { Documents } from '../../store/store.ts'
import type { StoredDocument } from '../../store/stored.ts'
import { defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { field } from '../kit/flags.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { noteUnreadable } from '../kit/load-sessions.ts'
import { noticesOf, scannedOf } from '../kit/scanned.ts'
import { parseTime } from '../kit/time.ts'
import {
  asWritten,
  chooseDocuments,
  type DocumentJson,
  inOrder,
  numberIn,
  patchBetween,
  rowOf,
  type VersionJson,
  versionJson,
  versionNumber,
  type Wanted,
} from './find.ts'
import { loadSemantic, recalled, semanticJson } from './semantic.ts'
import { type MemoryAnswer, memoryPieces, output } from './text.ts'

const input = z.object({
  owner: field.text({ description: 'an agent, or part of the name of a project', positional: true }),
  file: field.text({ description: 'part of the name of a text to show', positional: true }),
  versions: field.flag({ description: 'list the versions of each text' }),
  diff: field.flag({ description: 'show the last change, line by line, or that of --at' }),
  at: field.text({
    description: 'show the texts as they were: 2026-01-31, 7d, or a version: v2',
    placeholder: 'time',
  }),
  since: field.text({
    description: 'with --diff, show what changed since this time or version',
    placeholder: 'time',
  }),
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
    { command: 'scrollback memory', description: 'list every text of every agent, with sizes and changes' },
    { command: 'scrollback memory main', description: 'list the texts of one agent or project' },
    { command: 'scrollback memory main SOUL', description: 'show a text, by part of its name' },
    { command: 'scrollback memory main SOUL --versions', description: 'list its versions' },
    { command: 'scrollback memory --diff', description: 'show the last change' },
    {
      command: 'scrollback memory main SOUL --diff --since 30d',
      description: 'show what changed in a month',
    },
    { command: 'scrollback memory main --at 2026-11-01', description: 'show the texts as they were then' },
    { command: 'scrollback memory main --recall "teapots"', description: 'search its semantic memory' },
  ],
  input,
  output,
  check(input, context) {
    checkFlags(input)
    wantedIn(input, context)
  },
  needs: 'words',
  isNothing: ({ documents, semantic, recall }) => !recall && documents.length + semantic.length === 0,
  run(input, context): MemoryAnswer {
    checkFlags(input)
    const wanted = wantedIn(input, context)
    const fresh = freshStore(context)
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        '--no-redact: not available for memory, because the store contains no secrets',
        `Open the files yourself. To list them: ${context.suggest('memory', '--json')}`,
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
    const documents = chosen.flatMap((document): DocumentJson | [] => {
      const number = versionNumber(document, wanted.at)
      if (number === undefined) return []
      const isText = !input.diff && !input.versions && (input.at !== undefined || input.file !== undefined)
      const before = wanted.since ? versionNumber(document, wanted.since) : number - 1
      const isChanged = before !== undefined && before !== number
      const patch = input.diff && isChanged ? patchBetween(store, document, before, number) : undefined
      if (input.diff && patch === undefined) return []
      return {
        ...rowOf(document),
        ...versionJson(store, document, number),
        ...(isText ? { text: store.documentText(document.id, document.versions[number - 1]!.number) } : {}),
        ...(patch === undefined ? {} : { diff: patch }),
        ...(input.versions ? { history: historyOf(store, document) } : {}),
      }
    })
    if (chosen.length > 0) refuseMissing(chosen, wanted)
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
  },
  render: memoryPieces,
})

type Input = z.output<typeof input>

/** Only the list and `--recall` use semantic memory. */
const asksSemantic = ({ file, versions, diff, at, recall }: Input): boolean =>
  recall !== undefined || (file === undefined && !versions && !diff && at === undefined)

/** A day of `--at` includes what was written on it, and so do the changes since a day. */
function wantedIn({ at, since }: Input, { now }: Context): { at?: Wanted; since?: Wanted } {
  const wanted = (text: string, edge: 'since' | 'until', flag: string): Wanted => {
    const number = numberIn(text)
    return number === undefined ? { at: parseTime(text, edge, now, undefined, flag) } : { number }
  }
  return {
    ...(at === undefined ? {} : { at: wanted(at, 'until', '--at') }),
    ...(since === undefined ? {} : { since: wanted(since, 'since', '--since') }),
  }
}

/** The newest version first. */
const historyOf = (store: Documents, document: StoredDocument): VersionJson[] =>
  document.versions.map((_, index) => versionJson(store, document, index + 1)).reverse()

function checkFlags({ diff, since }: Input): void {
  if (since !== undefined && !diff)
    throw new ScrollbackError(
      'bad-option',
      '--since: only with --diff.',
      'To compare two versions: --diff --since v1 --at v2',
    )
}

/** Throws if a version was asked for that no document has. */
function refuseMissing(
  chosen: readonly StoredDocument[],
  { at, since }: { at?: Wanted; since?: Wanted },
): void {
  const most = largest(chosen.map(({ versions }) => versions.length))
  for (const wanted of [since, at]) {
    if (!wanted || !('number' in wanted) || (wanted.number > 0 && wanted.number <= most)) continue
    throw new ScrollbackError(
      'bad-option',
      `No such version: v${wanted.number}.`,
      `${chosen.length === 1 ? 'The text has' : 'The texts have at most'} ${counted(most, 'version')}. To list them: --versions`,
    )
  }
}
