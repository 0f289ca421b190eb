import { join, relative } from 'node:path'
import { readSession } from '../../collect/read-session.ts'
import { readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import { Scanner } from '../../io/scanner/scanner.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact, Root } from '../../model/artifact.ts'
import type { Item } from '../../model/session.ts'
import { discover } from './discover.ts'
import { vocabulary } from './words.ts'

export const rootAt = (path: string, reason = 'default'): Root => ({
  platform: 'claude-code',
  path,
  reason,
  found: true,
})

/** For tests: the configuration directory of one fixture, laid out as on disk. */
export const fixtureRoot = (name: string): Root =>
  rootAt(join(import.meta.dirname, '../../../test/fixtures/claude-code', name, '.claude'))

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

/** What a condensed transcript says, a line for each item, as one reads it in a test. */
export const tell = (artifact: Artifact): string[] =>
  readSession(artifact, { purpose: 'read' }).items.map(tellItem)

/** The same of the only transcript of a fixture, or of one of several by its place among them. */
export const tellFixture = (name: string, place = 0): string[] => tell(fixture(name)[place]!)

/** What the human said in a fixture's transcript. */
export const humanWords = (name: string, place = 0): string[] =>
  readSession(fixture(name)[place]!, { purpose: 'read' }).items.flatMap((item) =>
    item.who === 'human' ? [(item.text ?? `[${item.media?.join(' ')}]`).replaceAll('\n', ' / ')] : [],
  )

/** The index row of a fixture's transcript. */
export const sessionOf = (name: string, place = 0) =>
  readSession(fixture(name)[place]!, { purpose: 'index' }).session

export function tellItem(item: Item): string {
  const tool = item.tool && [item.tool.name, item.tool.target].filter((each) => each).join(' ')
  const said = [
    item.marker && `· ${item.marker}`,
    tool && (item.who === 'tool' ? tool : `(${tool})`),
    item.text?.replaceAll('\n', ' / ').replaceAll('\0', '␀').replaceAll('\u2028', '⤶'),
    item.media && `[${item.media.join(' ')}]`,
  ]
  const notes = [item.label, item.offBranch && 'left behind', item.sure === false && 'possible']
  const noted = notes.filter((each) => each).join(', ')
  return `${item.who}${noted ? ` (${noted})` : ''}: ${said.filter((each) => each).join(' ')}`
}

/** Every entry of a transcript, in file order. */
export function entriesOf(artifact: Artifact): unknown[] {
  const words = [...new Set([...vocabulary.keys, ...vocabulary.values])]
  const scanner = new Scanner({ words, descend: new Set(vocabulary.descend) }, 1024 * 1024)
  const entries: unknown[] = []
  const source = openSource(artifact.path)
  readLines(source, scanner, (line) => entries.push(...parseLine(line.bytes, line.start, line.end).entries))
  source.close()
  return entries
}
