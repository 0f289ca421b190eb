import * as z from 'zod/mini'
import { largest } from '../../model/lists.ts'
import { counted, grouped } from '../../render/counted.ts'
import { printable } from '../../render/printable.ts'
import type { Screen } from '../../render/screen.ts'
import { type Column, homely, readableBytes, table } from '../../render/table.ts'
import { dated } from '../../render/text.ts'
import { paint } from '../kit/hit-line.ts'
import { noticesShape, scannedLines, scannedShape } from '../kit/scanned.ts'
import { type DocumentJson, documentShape, type VersionJson } from './find.ts'
import { type RecallJson, recallShape, type SemanticJson, semanticShape } from './semantic.ts'

export const output = () =>
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

/** Renders a list, or the requested texts or changes. */
export function* memoryPieces(answer: MemoryAnswer, screen: Screen): Generator<string> {
  const { documents, scanned, semantic, recall } = answer
  if (recall) {
    yield* recallLines(recall, screen)
    return
  }
  if (documents.length === 0 && semantic.length === 0) {
    yield 'No memory found, or none of it has changed. Searched:\n'
    yield* scannedLines(
      {
        roots: scanned.map(({ platform, root, found }) => ({
          path: root,
          found,
          reason: platform,
          platform,
        })),
      },
      screen.home,
    )
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
    const head = `━━ ${printable(project ?? agent)} · ${printable(name)} · ${dated(Date.parse(modifiedAt))}`
    yield `${first ? '' : '\n'}${paint('bold', head, screen)}\n`
    yield diff === undefined ? `${printable(text ?? '')}\n` : changes(diff, screen)
    first = false
  }
}

function* list(documents: readonly DocumentJson[], screen: Screen): Generator<string> {
  const columns: Column<DocumentJson>[] = [
    {
      title: 'OF',
      value: ({ project, agent }) => project ?? agent,
      most: 32,
    },
    { title: 'KIND', value: ({ kind }) => kind, from: 70 },
    { title: 'CHANGED', value: ({ modifiedAt }) => dated(Date.parse(modifiedAt)).slice(2) },
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
  yield `\n${counted(documents.length, 'text')}. Show one: ${screen.suggest('memory', ownerArgument(one!), printable(one!.name))}\n`
}

/** The versions of each text, and the commands that show one. */
function* histories(documents: readonly DocumentJson[], screen: Screen): Generator<string> {
  const columns: Column<VersionJson>[] = [
    { title: 'VERSION', value: ({ number }) => `v${number}` },
    { title: 'WRITTEN', value: ({ modifiedAt }) => dated(Date.parse(modifiedAt)).slice(2) },
    { title: 'SIZE', value: ({ bytes }) => readableBytes(bytes), align: 'right' },
    { title: 'CHANGED', value: ({ change }) => linesOf(change) },
  ]
  for (const document of documents) {
    const { name, history = [], goneSince } = document
    const gone = goneSince === undefined ? '' : ' · file gone'
    const head = `━━ ${printable(document.project ?? document.agent)} · ${printable(name)}${gone}`
    yield `${paint('bold', head, screen)}\n`
    yield* table(history, columns, screen)
    yield '\n'
  }
  const changed = documents.find(({ versions }) => versions > 1) ?? documents[0]!
  const owner = ownerArgument(changed)
  const name = printable(changed.name)
  yield `Show one: ${screen.suggest('memory', owner, name, '--at', 'v1')}\n`
  if (changed.versions > 1)
    yield `What changed: ${screen.suggest('memory', owner, name, '--diff', '--since', 'v1')}\n`
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

/** Folders of projects begin with a minus, which a command line would treat as a flag. */
const ownerArgument = ({ project, agent }: DocumentJson): string =>
  printable(project ?? agent).replace(/^-+/, '')

/** OpenClaw's name of the model if there are no vectors. */
const NO_VECTORS = 'fts-only'
/** How many names are listed for each kind of change. */
const NAMES = 3
const NOUNS: Readonly<Record<string, string>> = { memory: 'text', sessions: 'session' }

/** One line per agent, below the list of documents. */
function* semanticLines(semantic: readonly SemanticJson[], screen: Screen): Generator<string> {
  if (semantic.length === 0) return
  yield `\n${paint('bold', 'Semantic memory', screen)}\n`
  const width = largest(semantic.map(({ agent }) => oneLine(agent).length))
  for (const each of semantic) yield `${oneLine(each.agent).padEnd(width)}  ${lineOf(each, screen)}\n`
}

function lineOf(index: SemanticJson, { home }: Screen): string {
  if (index.chunks === 0) return `empty: no chunk in ${oneLine(homely(index.path, home))}`
  const sources = index.sources.map(({ kind, sources: many }) => counted(many, NOUNS[kind] ?? oneLine(kind)))
  const models = index.models.map(({ model }) =>
    model === NO_VECTORS ? 'full text only, no vectors' : oneLine(model),
  )
  const updated = index.updatedAt === null ? [] : `updated ${dated(Date.parse(index.updatedAt)).slice(2)}`
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
  const first = names.slice(0, NAMES).map(oneLine).join(', ')
  return [`${what}: ${first}${names.length > NAMES ? ` and ${grouped(names.length - NAMES)} more` : ''}`]
}

/** The hits with their snippets. */
function* recallLines({ words, total, hits }: RecallJson, screen: Screen): Generator<string> {
  if (hits.length === 0) {
    yield `No chunk of the semantic memory contains: ${oneLine(words)}\n`
    yield `To search all messages: ${screen.suggest('search', oneLine(words))}\n`
    return
  }
  for (const { agent, name, startLine, endLine, snippet } of hits) {
    const heading = `${oneLine(agent)} · ${oneLine(name)}:${startLine}${endLine > startLine ? `-${endLine}` : ''}`
    yield `${paint('bold', heading, screen)}\n  ${oneLine(snippet)}\n`
  }
  const more = total > hits.length ? `, ${grouped(hits.length)} of them shown: --limit 0 shows all` : ''
  yield `\n${counted(total, 'chunk')}${more}.\n`
}

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim()
