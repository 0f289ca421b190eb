import { join } from 'node:path'
import { fileInside, identityOf, NO_LINKS } from '../../io/directories.ts'
import { openSource, readSmall, type SeekableSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import { asObject, asText, parsedJson } from '../../model/json.ts'
import { sourceOf } from '../folders.ts'
import { ask, databasesIn, type Owner } from './database/sessions.ts'
import { promptsIn } from './lines.ts'
import { STATEMENTS } from './statements.ts'
import { listPlain, openTreeSession, sessionsInTree, unpackedSessions } from './tree.ts'
import { promptIn, typedWords } from './words.ts'

export const HISTORY = 'prompt-history.jsonl'

/**
 * The prompts that were typed in the terminal and are in no session any more, as a session of their own: the
 * history names neither session, time nor directory. `data`: the folder with the sessions.
 */
export function leftPrompts(owner: Owner, data: string): Artifact | undefined {
  const path = join(owner.root, HISTORY)
  const stats = fileInside(owner.root, path, NO_LINKS)
  if (!stats) return undefined
  return {
    ...owner,
    path,
    database: data,
    kind: 'transcript',
    state: 'purged',
    sessionId: 'prompt-history',
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    identity: `${identityOf(stats)} ${stats.size} ${stats.mtimeMs}`,
  }
}

/** The sessions that are not in a database: those of an archive, and of versions without one. */
function readable(owner: Owner, hasDatabase: boolean): SeekableSource[] {
  const unpacked = unpackedSessions(owner).map(({ path }) => openSource(path))
  return hasDatabase ? unpacked : [...unpacked, ...sessionsInTree(owner, listPlain).map(openTreeSession)]
}

/** The client keeps the last hundred prompts or so. */
const LARGEST = 64 * 1024 * 1024
const TOO_LARGE = Object.assign(new Error('its history is too large'), { code: 'ERR_BUFFER_TOO_LARGE' })

/**
 * The history as it is, with a mark on each prompt that is in a session. Throws errors of the system and of
 * the database engine.
 */
export function openLeftPrompts(artifact: Artifact, data: string): SeekableSource {
  const stored = readSmall(artifact.path, LARGEST)
  if (!stored) throw TOO_LARGE
  const databases = databasesIn(artifact.platform, data, true).map((name) => join(data, name))
  const isTyped = typedEver(databases, () =>
    readable({ ...artifact, root: data }, databases.length > 0).flatMap(promptsIn),
  )
  const lines = stored
    .toString('utf8')
    .split('\n')
    .map((line) => {
      const prompt = asObject(parsedJson(line))
      return prompt && isTyped(promptIn(prompt)) ? `${line.trimEnd().slice(0, -1)},"isInSession":true}` : line
    })
  return sourceOf(Buffer.from(lines.join('\n')), artifact)
}

/**
 * A test for whether a prompt or a command of the shell (`!ls`) is in a session of these databases, or was
 * before it was taken back, or is among those elsewhere. Throws engine errors.
 */
function typedEver(
  databases: readonly string[],
  elsewhere: () => readonly string[],
): (prompt: string) => boolean {
  const others = lazily(() => new Set(elsewhere().map(plain)))
  const second = lazily(() => textsOf(databases, STATEMENTS.promptsOf2, 'session_message'))
  const present = lazily(() => both(textsOf(databases, STATEMENTS.prompts), second()))
  const commands = lazily(() => both(textsOf(databases, STATEMENTS.commands), second()))
  const earlier = lazily(() => textsOf(databases, STATEMENTS.earlierTexts, 'event'))
  return (prompt) => {
    const words = plain(prompt)
    const isHere = words.startsWith('!')
      ? commands().has(words)
      : present().has(words) || earlier().has(words)
    return isHere || others().has(words)
  }
}

const both = (one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...one, ...other])

const lazily = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Spaces differ between the two. */
const plain = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** The texts and commands of the parts that a statement selects. `table`: only where it exists. */
function textsOf(databases: readonly string[], statement: string, table = 'part'): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const path of databases)
    ask(path, ({ database, tables }) => {
      if (!tables.has(table)) return
      for (const { data } of database.prepare(statement).iterate()) {
        const part = asObject(parsedJson(data))
        const command = asText(asObject(asObject(part?.state)?.input)?.command) ?? asText(part?.command)
        const text = asText(part?.text)
        if (command !== undefined) texts.add(plain(`!${command}`))
        else if (text !== undefined) texts.add(plain(typedWords(text)))
      }
    })
  return texts
}
