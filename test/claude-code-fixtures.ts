import { join, relative } from 'node:path'
import { readLines } from '../src/io/lines.ts'
import { parseLine } from '../src/io/parse-line.ts'
import { openSource } from '../src/io/source.ts'
import type { Artifact, Root } from '../src/model/artifact.ts'
import type { Item } from '../src/model/session.ts'
import { discover } from '../src/platforms/claude-code/discover.ts'
import { readSession } from '../src/sync/read/read-session.ts'

export const rootAt = (path: string, reason = 'default'): Root => ({
  platform: 'claude-code',
  path,
  reason,
  found: true,
})

/** The configuration directory of one fixture, with the layout as on disk. */
export const fixtureRoot = (name: string): Root =>
  rootAt(join(import.meta.dirname, 'fixtures/claude-code', name, '.claude'))

/** The transcripts of a directory, by their path below its `projects`. */
export function transcripts(root: Root) {
  const { artifacts, notices } = discover(root)
  const named = artifacts.map(
    (artifact) => [relative(join(root.path, 'projects'), artifact.path), artifact] as const,
  )
  return { notices, files: new Map(named.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** The transcripts of a fixture, those in its first folder of projects first. */
export const fixture = (name: string): Artifact[] => [...transcripts(fixtureRoot(name)).files.values()]

/** A condensed transcript as readable lines, one per item. */
export const readableItems = (artifact: Artifact): string[] => readSession(artifact).items.map(readableItem)

/** The same for the only transcript of a fixture, or for one of several by its index. */
export const readFixture = (name: string, index = 0): string[] => readableItems(fixture(name)[index]!)

/** The human messages of a fixture's transcript. */
export const humanWords = (name: string, index = 0): string[] =>
  readSession(fixture(name)[index]!).items.flatMap((item) =>
    item.who === 'human' ? [(item.text ?? `[${item.media?.join(' ')}]`).replaceAll('\n', ' / ')] : [],
  )

/** The session of a fixture's transcript. */
export const sessionOf = (name: string, index = 0) =>
  readSession(fixture(name)[index]!, { keep: 'counts' }).session

export function readableItem(item: Item): string {
  const tool = item.tool && [item.tool.name, item.tool.target].filter((each) => each).join(' ')
  const parts = [
    item.marker && `· ${item.marker}`,
    tool && (item.who === 'tool' ? tool : `(${tool})`),
    item.text?.replaceAll('\n', ' / ').replaceAll('\0', '␀').replaceAll('\u2028', '⤶'),
    item.media && `[${item.media.join(' ')}]`,
  ]
  const notes = [item.label, item.offBranch && 'abandoned', item.sure === false && 'possible']
  const noted = notes.filter((each) => each).join(', ')
  return `${item.who}${noted ? ` (${noted})` : ''}: ${parts.filter((each) => each).join(' ')}`
}

/** Every entry of a transcript, in file order. */
export function entriesOf(artifact: Artifact): unknown[] {
  const entries: unknown[] = []
  const source = openSource(artifact.path)
  readLines(source, (line) => entries.push(...parseLine(line.bytes, line.start, line.end).entries))
  source.close()
  return entries
}
