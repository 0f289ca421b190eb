import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { noticesOf, noticesShape, scannedLines, scannedOf, scannedShape } from '../../context/scanned.ts'
import { parseTime } from '../../context/time.ts'
import { hiddenDocuments } from '../../deliver/delivery/inventory.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Notice } from '../../model/artifact.ts'
import { shownName } from '../../model/hidden.ts'
import { largest, smallest } from '../../model/iteration.ts'
import { type Column, counted, grouped, homely, readableBytes, table } from '../../render/table.ts'
import { printable, type Screen, shownLine } from '../../render/terminal.ts'
import { dated, timesIn } from '../../render/text.ts'
import { noteUnreadable } from '../../selection/load-sessions.ts'
import { withOwners } from '../../selection/memory-owners.ts'
import type { Documents } from '../../store/store.ts'
import type { StoredDocument } from '../../store/stored.ts'
import { paint } from '../hit-line.ts'
import {
  chooseDocuments,
  type DocumentJson,
  demoDocuments,
  documentShape,
  inOrder,
  loadSemantic,
  numberIn,
  patchBetween,
  type RecallJson,
  recalled,
  recallShape,
  rowOf,
  type SemanticJson,
  semanticJson,
  semanticShape,
  type VersionJson,
  versionJson,
  versionNumber,
  type Wanted,
} from './find.ts'

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

type Input = z.output<typeof input>

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    documents: z.array(documentShape()),
    /** With `--diff`, how many of the texts have not changed, if none has. */
    unchanged: z.optional(z.number()),
    semantic: z.array(semanticShape()),
    recall: z.optional(recallShape()),
  })

export type MemoryAnswer = z.output<ReturnType<typeof output>>

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
    if (input.recall !== undefined && context.remote)
      throw new ScrollbackError(
        'bad-option',
        '--recall: not with --store: the index that an agent searches is on its own machine.',
        'Run it there. To search the texts: scrollback search who:memory <words> --store …',
      )
    wantedIn(input, context)
  },
  onlyRedacted: {
    because: 'the store contains no secrets',
    instead: 'Open the files yourself. To list them: scrollback memory --json',
  },
  needs: 'words',
  isNothing: ({ documents, semantic, recall }) =>
    recall ? recall.total === 0 : documents.length + semantic.length === 0,
  run(input, context): MemoryAnswer {
    checkFlags(input)
    const wanted = wantedIn(input, context)
    const fresh = freshStore(context, { words: true })
    const { found } = fresh
    const store = context.globalFlags?.demo ? demoDocuments(fresh.store, context.now) : fresh.store
    noteUnreadable(found, context)
    noteUnreadable({ notices: found.roots.flatMap(hiddenDocuments) }, context)
    const semantic = asksSemantic(input) ? loadSemantic(found, input.owner, context) : undefined
    if (semantic && input.recall !== undefined) {
      const { recall: words, file, limit } = input
      const notices = [...semantic.notices]
      const recall = recalled(semantic.chosen, { words, file, limit }, notices, context)
      return { ...about(notices), total: 0, documents: [], semantic: [], recall }
    }
    const roots = new Set(found.roots.map(({ path }) => path))
    const all = withOwners(
      store.documents().filter(({ artifact }) => roots.has(artifact.root)),
      fresh.store.projectFacts,
    )
    const chosen = inOrder(
      chooseDocuments(all, input.owner, input.file, semantic && semantic.chosen.length > 0),
    )
    // Only a space has those of several.
    const files = context.remote && fresh.store.known()
    const machineOf = ({ artifact: { path } }: StoredDocument): { device?: string } => {
      const device = files?.get(path)?.device
      return device === undefined ? {} : { device }
    }
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
        ...machineOf(document),
        ...versionJson(store, document, number),
        ...(isText ? { text: store.documentText(document.id, document.versions[number - 1]!.number) } : {}),
        ...(patch === undefined ? {} : { diff: patch }),
        ...(input.versions ? { history: historyOf(store, document) } : {}),
      }
    })
    if (chosen.length > 0) refuseMissing(chosen, wanted)
    const first = smallest(chosen.map(({ versions }) => versions[0]!.at))
    if (chosen.length > 0 && documents.length === 0 && wanted.at && 'at' in wanted.at && wanted.at.at < first)
      context.note(`--at: no version is that old. The first is of ${dated(first)}.`)
    return {
      ...about(semantic?.notices ?? []),
      total: documents.length,
      documents,
      ...(input.diff && documents.length === 0 && chosen.length > 0 ? { unchanged: chosen.length } : {}),
      semantic: semantic?.chosen.map((each) => semanticJson(each, context)) ?? [],
    }

    function about(notices: readonly Notice[]): Pick<MemoryAnswer, 'version' | 'scanned' | 'notices'> {
      const all = [...found.notices, ...notices]
      return { version: 1, scanned: scannedOf(found), notices: noticesOf({ ...found, notices: all }) }
    }
  },
  render: memoryPieces,
})

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

/** Renders a list, or the requested texts or changes. */
function* memoryPieces(answer: MemoryAnswer, screen: Screen): Generator<string> {
  const { documents, scanned, semantic, recall, unchanged } = answer
  if (recall) {
    yield* recallLines(recall, screen)
    return
  }
  if (unchanged !== undefined) {
    yield `${unchanged === 1 ? 'The text has not' : `None of ${unchanged} texts has`} changed since it was first indexed. Later changes are stored as versions.\n`
    return
  }
  if (documents.length === 0 && semantic.length === 0) {
    yield 'No memory found. Searched:\n'
    yield* scannedLines(scanned, screen.home)
    return
  }
  if (documents.some(({ history }) => history)) {
    yield* histories(documents, screen)
    return
  }
  if (documents.every(({ text, diff }) => text === undefined && diff === undefined)) {
    if (documents.length > 0) yield* list(documents, screen)
    yield* semanticLines(semantic, screen)
    return
  }
  let first = true
  for (const document of documents) {
    const { name, agent, project, modifiedAt, text, diff } = document
    const head = `━━ ${shownName(project ?? agent)} · ${shownName(name)} · ${dated(Date.parse(modifiedAt))}`
    yield `${first ? '' : '\n'}${paint('bold', head, screen)}\n`
    yield diff === undefined ? `${printable(text ?? '')}\n` : changes(diff, screen)
    first = false
  }
}

const modifiedOf = ({ modifiedAt }: { modifiedAt: string }): string => modifiedAt

function* list(documents: readonly DocumentJson[], screen: Screen): Generator<string> {
  const when = timesIn(documents.map(modifiedOf), screen)
  const columns: Column<DocumentJson>[] = [
    {
      title: 'OF',
      value: ({ project, agent }) => project ?? agent,
      most: 32,
    },
    ...(documents.some(({ device }) => device !== undefined)
      ? [{ title: 'MACHINE', value: ({ device = '' }: DocumentJson) => shownName(device) }]
      : []),
    { title: 'KIND', value: ({ kind }) => kind, from: 70 },
    { title: 'CHANGED', value: ({ modifiedAt }) => when(modifiedAt) },
    { title: 'SIZE', value: ({ bytes }) => readableBytes(bytes), align: 'right' },
    { title: 'SINCE', value: changeText, from: 90 },
    {
      title: 'TEXT',
      value: ({ name, goneSince }) => `${goneSince === undefined ? '' : '[file gone] '}${name}`,
      rest: true,
    },
  ]
  yield* table(documents, columns, screen)
  const [one] = documents
  yield `\n${counted(documents.length, 'text')}. Show one: ${screen.suggest('memory', [ownerArgument(one!), shownName(one!.name)])}\n`
}

/** The versions of each text, and the commands that show one. */
function* histories(documents: readonly DocumentJson[], screen: Screen): Generator<string> {
  const when = timesIn(
    documents.flatMap(({ history = [] }) => history.map(modifiedOf)),
    screen,
  )
  const columns: Column<VersionJson>[] = [
    { title: 'VERSION', value: ({ number }) => `v${number}` },
    { title: 'WRITTEN', value: ({ modifiedAt }) => when(modifiedAt) },
    { title: 'SIZE', value: ({ bytes }) => readableBytes(bytes), align: 'right' },
    { title: 'CHANGED', value: ({ change }) => linesOf(change) },
  ]
  for (const document of documents) {
    const { name, history = [], goneSince } = document
    const gone = goneSince === undefined ? '' : ' · file gone'
    const head = `━━ ${shownName(document.project ?? document.agent)} · ${shownName(name)}${gone}`
    yield `${paint('bold', head, screen)}\n`
    yield* table(history, columns, screen)
    yield '\n'
  }
  const changed = documents.find(({ versions }) => versions > 1) ?? documents[0]!
  const owner = ownerArgument(changed)
  const name = shownName(changed.name)
  yield `Show one: ${screen.suggest('memory', [owner, name], '--at=v1')}\n`
  if (changed.versions > 1)
    yield `What changed: ${screen.suggest('memory', [owner, name], '--diff', '--since=v1')}\n`
}

/** The number of lines added and removed since the previous version. */
const changeText = ({ change, versions }: DocumentJson): string =>
  change === null ? '-' : `${linesOf(change)} (${versions} versions)`

const linesOf = (change: VersionJson['change']): string =>
  change === null ? '-' : `+${change.added} −${change.removed}`

const changes = (diff: string, screen: Screen): string =>
  printable(diff)
    .split('\n')
    .map((line) =>
      line.startsWith('+')
        ? paint('green', line, screen)
        : line.startsWith('-')
          ? paint('red', line, screen)
          : line,
    )
    .join('\n')

const ownerArgument = ({ project, agent }: DocumentJson): string => shownName(project ?? agent)

/** OpenClaw's name of the model if there are no vectors. */
const NO_VECTORS = 'fts-only'
/** How many names are listed for each kind of change. */
const NAMES = 3
const NOUNS: Readonly<Record<string, string>> = { memory: 'text', sessions: 'session' }

/** One line per agent, below the list of documents. */
function* semanticLines(semantic: readonly SemanticJson[], screen: Screen): Generator<string> {
  if (semantic.length === 0) return
  yield `\n${paint('bold', 'Semantic memory', screen)}\n`
  const width = largest(semantic.map(({ agent }) => shownLine(agent).length))
  for (const each of semantic) yield `${shownLine(each.agent).padEnd(width)}  ${lineOf(each, screen)}\n`
}

function lineOf(index: SemanticJson, { home }: Screen): string {
  if (index.chunks === 0) return `empty: no chunk in ${shownLine(homely(index.path, home))}`
  const sources = index.sources.map(({ kind, sources: many }) =>
    counted(many, NOUNS[kind] ?? shownLine(kind)),
  )
  const models = index.models.map(({ model }) =>
    model === NO_VECTORS ? 'full text only, no vectors' : shownLine(model),
  )
  const updated = index.updatedAt === null ? [] : `updated ${dated(Date.parse(index.updatedAt))}`
  return [
    `${counted(index.chunks, 'chunk')} of ${sources.join(' and ')}`,
    models.join(', '),
    updated,
    ...freshness(index),
  ]
    .flat()
    .join(' · ')
}

function freshness({ changed, gone, missing, unchecked, sources }: SemanticJson): string[] {
  const lines = [
    ...named('changed since', changed),
    ...named('gone since', gone),
    ...named('not in it', missing),
    ...(unchecked > 0 ? [`${grouped(unchecked)} elsewhere, not compared`] : []),
  ]
  if (lines.length > 0) return lines
  return sources.some(({ kind }) => kind === 'memory') ? ['its texts are unchanged'] : []
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const first = names.slice(0, NAMES).map(shownLine).join(', ')
  return [`${what}: ${first}${names.length > NAMES ? ` and ${grouped(names.length - NAMES)} more` : ''}`]
}

/** The hits with their snippets. */
function* recallLines({ words, total, hits }: RecallJson, screen: Screen): Generator<string> {
  if (hits.length === 0) {
    yield `No chunk of the semantic memory contains: ${shownLine(words)}\n`
    yield `To search all messages: ${screen.suggest('search', [shownLine(words)])}\n`
    return
  }
  for (const { agent, name, startLine, endLine, snippet } of hits) {
    const heading = `${shownLine(agent)} · ${shownLine(name)}:${startLine}${endLine > startLine ? `-${endLine}` : ''}`
    yield `${paint('bold', heading, screen)}\n  ${shownLine(snippet)}\n`
  }
  const more = total > hits.length ? `, ${grouped(hits.length)} of them shown: --limit 0 shows all` : ''
  yield `\n${counted(total, 'chunk')}${more}.\n`
}
