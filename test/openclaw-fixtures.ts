import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readLines } from '../src/io/lines.ts'
import { parseLine } from '../src/io/parse-line.ts'
import { openSource } from '../src/io/source.ts'
import type { Artifact, Root } from '../src/model/artifact.ts'
import type { Draft, Part, Payload } from '../src/model/event.ts'
import { discover } from '../src/platforms/openclaw/discover.ts'
import { normalize } from '../src/platforms/openclaw/records/normalize.ts'

/** The state directory of one fixture, with the layout as on disk. */
export function fixtureRoot(name: string): Root {
  const home = join(import.meta.dirname, 'fixtures/openclaw', name)
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

/** Every entry of a transcript, in file order. */
export function entriesOf(artifact: Artifact): unknown[] {
  const entries: unknown[] = []
  const source = openSource(artifact.path)
  readLines(source, (line) => entries.push(...parseLine(line.bytes, line.start, line.end).entries))
  source.close()
  return entries
}

/** A transcript as readable lines, one per draft. */
export const readableDrafts = (artifact: Artifact): string[] =>
  entriesOf(artifact).flatMap((entry) => normalize(entry, artifact).map(readableDraft))

/** The only transcript of a fixture. */
export const readFixture = (name: string): string[] => readableDrafts([...fixture(name).files.values()][0]!)

function readableDraft({ payload }: Draft): string {
  return readablePayload(payload).trim()
}

function readablePayload(payload: Payload): string {
  switch (payload.type) {
    case 'message': {
      const who = payload.role === 'tool' ? 'tool' : payload.speaker
      const notes = [
        payload.label,
        payload.kindEvidence && `kind=${payload.kindEvidence}`,
        payload.queued && 'queued',
        payload.mirror && 'mirror',
      ].filter((note) => note)
      return `${who}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${payload.parts.map(readablePart).join(' ')}`
    }
    case 'marker':
      return `· ${payload.marker}${payload.text ? `: ${payload.text}` : ''}`
    case 'title':
      return `title (${payload.source}): ${payload.title}`
    case 'leaf':
      return `leaf ${payload.target}`
    case 'stated-usage':
      return `stated usage ${JSON.stringify(payload.used)}`
    case 'skipped':
    case 'unknown':
      return `${payload.type} ${payload.name}`
    default:
      return payload.type
  }
}

function readablePart(part: Part): string {
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
