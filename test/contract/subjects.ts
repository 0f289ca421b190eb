// First, so that all other modules include the invented platform.
import '../third-platform/register.ts'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { ScrollbackError } from '../../src/errors.ts'
import { readFully } from '../../src/io/source.ts'
import type { Artifact, Environment } from '../../src/model/artifact.ts'
import { identities } from '../../src/platforms/identities.ts'
import type { PlatformIdentity } from '../../src/platforms/identity.ts'
import { platforms } from '../../src/platforms/index.ts'
import { resolveTargets } from '../../src/selection/read-targets.ts'
import { discover } from '../../src/sync/discover.ts'
import { openArtifact } from '../../src/sync/read/read-session.ts'
import { contextFor } from '../context.ts'

/** A transcript to which the contract is applied, and its name in the title of a test. */
export interface Subject {
  name: string
  artifact: Artifact
}

const top = resolve(import.meta.dirname, '../..')

/**
 * Whether a folder of this name is a root of the platform: the default name, an older one, or a longer one. A
 * platform finds its root itself below the first of several folders.
 */
const isHomeOf = ({ folder, agentHome }: PlatformIdentity, name: string): boolean =>
  name.startsWith(folder.split('/')[0]!) || agentHome?.test(`/${name}`) === true

export const isHome = (name: string): boolean => identities.some((identity) => isHomeOf(identity, name))

/** Reads the roots among these folders and nothing else on the machine. */
const environmentFor = (folder: string, names: readonly string[]): Environment => {
  const dirs = identities.map((identity) => [
    identity.id,
    names.filter((name) => isHomeOf(identity, name)).map((name) => join(folder, name)),
  ])
  return { home: '/nowhere', variables: {}, dirs: Object.fromEntries(dirs), deleted: true }
}

/** Reads the roots at the top of a folder and nothing else on the machine. */
export const environmentIn = (folder: string): Environment => environmentFor(folder, readdirSync(folder))

/** Every transcript of the state directories at the top of a folder. */
function inHomes(folder: string): Artifact[] {
  if (!existsSync(folder)) return []
  return discover(environmentIn(folder)).artifacts
}

const named = (artifacts: readonly Artifact[], from: string): Subject[] =>
  artifacts.map((artifact) => ({ name: relative(from, artifact.path), artifact }))

/** The fixtures of a platform: a folder for each edge case, with a state directory inside. */
export function fixtures(platform: string): Subject[] {
  const folder = join(top, 'test/fixtures', platform)
  if (!existsSync(folder)) return []
  const traps = readdirSync(folder).map((trap) => join(folder, trap))
  return named(
    traps.filter((trap) => statSync(trap).isDirectory()).flatMap(inHomes),
    join(top, 'test/fixtures'),
  )
}

/** The fixtures of every platform. A new one is tested as soon as it has any. */
export const allFixtures = (): Subject[] => platforms.flatMap(({ id }) => fixtures(id))

export const demo = (): Subject[] => named(inHomes(join(top, 'demo')), top)

/** A folder with transcripts of other people. Nothing depends on it. */
export const corpusFolder = process.env.SCROLLBACK_CORPUS

/** Every transcript anywhere in a folder. Its platform is detected as by `read <file>`. */
export async function corpus(folder: string): Promise<Subject[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const homes = files.filter((file) => file.isDirectory() && isHome(file.name)).map((file) => file.parentPath)
  const found = new Map<string, Artifact>()
  for (const home of new Set(homes)) for (const artifact of inHomes(home)) found.set(artifact.path, artifact)
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    if (!file.isFile() || !file.name.includes('.jsonl') || found.has(path)) continue
    const artifact = await asGiven(path)
    if (artifact) found.set(path, artifact)
  }
  return named([...found.values()], folder)
}

/** The artifact of a file named on the command line; undefined if its name is not that of a transcript. */
async function asGiven(path: string): Promise<Artifact | undefined> {
  const context = contextFor(environmentFor('/nowhere', []))
  try {
    const { tasks } = await resolveTargets([path], { all: false, starred: false }, context)
    return tasks[0]?.artifact
  } catch (error) {
    if (error instanceof ScrollbackError) return undefined
    throw error
  }
}

/** The bytes for which a reader has to account; for a session in a database its records, one per line. */
export function rawBytes(artifact: Artifact): Buffer {
  const { path, database, sessionId } = artifact
  if (database !== undefined) return recordsOf(database, sessionId) ?? wholeOf(artifact)
  const bytes = readFileSync(path)
  return path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes
}

/** The lines that a platform makes of several rows or files. Its own tests compare them with these. */
function wholeOf(artifact: Artifact): Buffer {
  const source = openArtifact(artifact)
  const blocks: Buffer[] = []
  try {
    do blocks.push(readFully(source, 65_536))
    while (blocks.at(-1)!.length > 0)
    return Buffer.concat(blocks)
  } finally {
    source.close()
  }
}

/**
 * Found without any code of the program, like the lines of a file. Undefined if the database does not have a
 * row for each record.
 */
function recordsOf(path: string, sessionId: string): Buffer | undefined {
  if (!statSync(path).isFile()) return undefined
  const database = new DatabaseSync(path, { readOnly: true })
  const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'transcript_events'").get()
  if (!known) {
    database.close()
    return undefined
  }
  const packed = database
    .prepare("SELECT count(*) AS found FROM pragma_table_info('transcript_events') WHERE name = 'event_zstd'")
    .get()!.found
  const rows = database
    .prepare(`SELECT seq, event_json AS text, ${packed ? 'event_zstd' : 'NULL'} AS packed FROM transcript_events
      WHERE session_id = ? ORDER BY seq`)
    .all(sessionId)
  database.close()
  const lines: Buffer[] = []
  for (const { seq, text, packed } of rows) {
    while (lines.length < Number(seq)) lines.push(Buffer.from('\n'))
    const record = packed ? zstdDecompressSync(packed as Uint8Array) : Buffer.from(String(text))
    lines.push(Buffer.concat([record, Buffer.from('\n')]))
  }
  return Buffer.concat(lines)
}

export interface RawLine {
  number: number
  offset: number
  bytes: Buffer
}

/** The lines that are not blank, found without any code of the program. */
export function rawLines(bytes: Buffer): RawLine[] {
  const lines: RawLine[] = []
  let offset = 0
  for (let number = 1; offset < bytes.length; number++) {
    const newline = bytes.indexOf(10, offset)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.subarray(offset, end)
    if (!line.every((byte) => byte === 32 || byte === 9 || byte === 13))
      lines.push({ number, offset, bytes: line })
    offset = end + 1
  }
  return lines
}
