import { type Column, counted, readableBytes, table } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { paint } from '../kit/hit-line.ts'
import { scannedLines } from '../kit/scanned.ts'
import type { MemoryAnswer } from './answer.ts'
import type { DocumentJson, VersionJson } from './row.ts'
import { recallLines, semanticLines } from './semantic-text.ts'

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
          ...{ path: root, found, reason: platform },
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
