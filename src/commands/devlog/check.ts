import { resolve } from 'node:path'
import { parseCitations } from '../../devlog/check/parse.ts'
import { type CheckedCitation, type FoundRecord, verify } from '../../devlog/check/verify.ts'
import { citedText } from '../../devlog/evidence/citation.ts'
import { ScrollbackError } from '../../errors.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item } from '../../model/session.ts'
import type { Context } from '../kit/command.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { loadSessions } from '../kit/load.ts'
import { readFromFile } from '../read/job.ts'
import { storeReader } from '../read/store-reader.ts'
import type { DevlogAnswer } from './answer.ts'

/** A longer file is no devlog. */
const LARGEST = 16 * 1024 * 1024

/** Checks the citations of a devlog against the transcripts and, where those are gone, the store. */
export function checkFile(name: string, context: Context): DevlogAnswer['check'] {
  const file = resolve(context.here, name)
  const parsed = parseCitations(textOf(file))
  if (parsed.length === 0)
    throw new ScrollbackError(
      'nothing-found',
      `${file} contains no citation of a devlog.`,
      'Only Markdown that this command has written can be checked.',
    )
  const recordsOf = createLookup(context)
  const citations: CheckedCitation[] = parsed.map((citation) =>
    verify(citation, recordsOf(citation.session, citation.line)),
  )
  const count = (state: CheckedCitation['state']): number =>
    citations.filter((each) => each.state === state).length
  return {
    file,
    ...{ holds: count('holds'), changed: count('changed'), edited: count('edited'), gone: count('gone') },
    citations,
  }
}

/** Returns the cited texts on a line of every transcript whose short id is the given one. */
function createLookup(context: Context): (session: string, line: number) => FoundRecord[] {
  const { sessions, artifacts } = loadSessions({}, context)
  const fresh = freshStore(context)
  const files = new Map(artifacts.map((artifact) => [artifact.path, artifact]))
  const byPath = new Map<string, Map<number, string[]>>()
  const linesOf = (path: string): Map<number, string[]> => {
    const known = byPath.get(path)
    if (known) return known
    const task = { artifact: files.get(path) ?? ({ path } as Artifact) }
    const needs = { redact: context.redact, usage: false }
    const { items } = fresh ? storeReader(fresh.store)(task, needs) : readFromFile(task, needs)
    const lines = new Map<number, string[]>()
    for (const item of items) add(lines, item)
    byPath.set(path, lines)
    return lines
  }
  return (session, line) =>
    sessions
      .filter(({ id }) => id.startsWith(session) || id.startsWith(`agent-${session}`))
      .map(({ path, goneMs }) => ({ texts: linesOf(path).get(line) ?? [], gone: goneMs !== undefined }))
}

function add(lines: Map<number, string[]>, item: Item): void {
  const texts = lines.get(item.line)
  if (texts) texts.push(citedText(item))
  else lines.set(item.line, [citedText(item)])
}

/** The text of the file that the user named. */
function textOf(path: string): string {
  try {
    const source = openSource(path)
    try {
      const bytes = Buffer.alloc(LARGEST)
      let length = 0
      for (let count = -1; count !== 0 && length < LARGEST; length += count)
        count = source.read(bytes, length, LARGEST - length)
      return bytes.toString('utf8', 0, length)
    } finally {
      source.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new ScrollbackError(
      'unreadable',
      `${path} cannot be read (${code}).`,
      'Name a file in Markdown.',
      error,
    )
  }
}
