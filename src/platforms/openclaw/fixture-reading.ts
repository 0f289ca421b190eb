import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import { Scanner } from '../../io/scanner/scanner.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact, Root } from '../../model/artifact.ts'
import type { Draft, Part, Payload } from '../../model/event.ts'
import { discover } from './discover.ts'
import { vocabulary } from './glance.ts'
import { normalize } from './normalize.ts'

/** For tests: the state directory of one fixture, laid out as on disk. */
export function fixtureRoot(name: string): Root {
  const home = join(import.meta.dirname, '../../../test/fixtures/openclaw', name)
  const path = ['.openclaw', '.clawdbot'].map((each) => join(home, each)).find(existsSync)!
  return { platform: 'openclaw', path, reason: '--openclaw-dir', found: true }
}

/** The transcripts of a fixture, by their path inside it. */
export function fixture(name: string, deleted = false) {
  const root = fixtureRoot(name)
  const { artifacts, notices } = discover(root, { home: '/nowhere', variables: {}, deleted })
  const named = artifacts.map((artifact) => [relative(root.path, artifact.path), artifact] as const)
  return { root, notices, files: new Map(named.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

export const newScanner = (): Scanner =>
  new Scanner(
    { words: [...new Set([...vocabulary.keys, ...vocabulary.values])], descend: new Set(vocabulary.descend) },
    1024 * 1024,
  )

/** Every entry of a transcript, in file order. */
export function entriesOf(artifact: Artifact): unknown[] {
  const entries: unknown[] = []
  const source = openSource(artifact.path)
  readLines(source, newScanner(), (line) =>
    entries.push(...parseLine(line.bytes, line.start, line.end).entries),
  )
  source.close()
  return entries
}

/** What a transcript says, a line for each draft, as one reads it in a test. */
export const tell = (artifact: Artifact): string[] =>
  entriesOf(artifact).flatMap((entry) => normalize(entry, artifact).map(tellDraft))

/** The only transcript of a fixture. */
export const tellFixture = (name: string): string[] => tell([...fixture(name).files.values()][0]!)

function tellDraft({ payload }: Draft): string {
  return tellPayload(payload).trim()
}

function tellPayload(payload: Payload): string {
  switch (payload.type) {
    case 'message': {
      const who = payload.role === 'tool' ? 'tool' : payload.speaker
      const notes = [
        payload.label,
        payload.kindEvidence && `kind=${payload.kindEvidence}`,
        payload.queued && 'queued',
        payload.mirror && 'mirror',
      ].filter((note) => note)
      return `${who}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${payload.parts.map(tellPart).join(' ')}`
    }
    case 'marker':
      return `· ${payload.marker}${payload.text ? `: ${payload.text}` : ''}`
    case 'title':
      return `title (${payload.source}): ${payload.title}`
    case 'session':
      return 'session'
    case 'leaf':
      return `leaf ${payload.target}`
    case 'stated-costs':
      return `stated costs ${JSON.stringify(payload.costs)}`
    case 'skipped':
    case 'unknown':
      return `${payload.type} ${payload.name}`
    case 'queue':
    case 'link':
      return payload.type
  }
}

function tellPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text.replaceAll('\n', ' / ')
    case 'thinking':
      return `{${part.text}}`
    case 'tool-call':
      return `${part.name}(${JSON.stringify(part.input)})`
    case 'tool-result':
      return part.error ? `${part.error} error: ${part.errorLine}` : 'ok'
    case 'media':
    case 'opaque':
      return `[${part.name}]`
  }
}
