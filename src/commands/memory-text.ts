import { printable } from '../condense/printable.ts'
import { dated } from '../condense/render-text.ts'
import type { Screen } from './command.ts'
import type { MemoryAnswer } from './memory.ts'
import type { DocumentJson } from './memory-row.ts'
import { recallLines, semanticLines } from './memory-semantic-text.ts'
import { scannedLines } from './scanned.ts'
import { paint } from './search-line.ts'
import { type Column, counted, readableBytes, table } from './table.ts'

/** A list, or the texts or changes that were asked for. */
export function* memoryPieces(answer: MemoryAnswer, screen: Screen): Generator<string> {
  const { documents, scanned, semantic, recall } = answer
  if (recall) {
    yield* recallLines(recall, screen)
    return
  }
  if (documents.length === 0 && semantic.length === 0) {
    yield 'No memory of any agent was found, or nothing of it changed. Looked in:\n'
    yield* scannedLines(
      {
        roots: scanned.map(({ platform, root, found }) => ({
          ...{ path: root, found, reason: platform },
          platform: platform === 'openclaw' ? 'openclaw' : 'claude-code',
        })),
      },
      screen.home,
    )
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
      value: ({ project, agent, platform }) => project ?? (platform === 'openclaw' ? agent : 'claude'),
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

/** Lines that came and went since the version before this one. */
const changeText = ({ change, versions }: DocumentJson): string =>
  change === null ? '-' : `+${change.added} −${change.removed} (${versions} versions)`

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

/** Folders of projects begin with a minus, which a command line takes for a flag. */
const ownerArgument = ({ project, agent }: DocumentJson): string =>
  printable(project ?? agent).replace(/^-+/, '')
