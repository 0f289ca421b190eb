import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileInside, identityOf, listDirectory, NO_LINKS } from '../../../io/directories.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { asObject, asText, asTime, parsedJson } from '../../../model/json.ts'
import { type Connection, createConnections, hasColumns, unknownIn } from '../../database-connections.ts'
import { buildsOf, isDatabaseOf } from '../builds.ts'
import { STATEMENTS } from '../statements.ts'
import { hasVersionTwo } from './version-two.ts'

export const { ask, closeConnections } = createConnections(STATEMENTS.columns)

/**
 * The names of the databases in a folder: those that are named after a build of the platform. If there are
 * none and a person named the folder (`isGiven`), all.
 */
export function databasesIn(platform: string, folder: string, isGiven: boolean): string[] {
  const names = listDirectory(folder).entries.flatMap(({ name }) =>
    name.endsWith('.db') && fileInside(folder, join(folder, name), NO_LINKS) ? [name] : [],
  )
  const own = names.filter((name) => isDatabaseOf(name, buildsOf(platform)))
  return own.length > 0 || !isGiven ? own : names
}

/** What sessions have in common that are found in one place. */
export type Owner = Pick<Artifact, 'platform' | 'agent' | 'root'>

/** Approximate size of a message. A database does not report the size of a session without reading it. */
const USUAL_MESSAGE = 2048

/** The tables of 1.2 and newer. Version 2 leaves them as they were. */
export const hasVersionOne = (connection: Connection): boolean =>
  hasColumns(connection, 'session', 'id', 'parent_id', 'directory', 'title', 'version', 'time_created') &&
  hasColumns(connection, 'session', 'time_updated', 'revert') &&
  hasColumns(connection, 'message', 'id', 'session_id', 'time_created', 'time_updated', 'data') &&
  hasColumns(connection, 'part', 'id', 'message_id', 'session_id', 'time_updated', 'data')

/** The sessions in a database. Undefined if it has other tables. Throws engine errors. */
export function sessionsIn(path: string, owner: Owner): Artifact[] | undefined {
  const file = identityOf(statSync(path))
  return ask(path, (connection) => {
    const [first, second] = [hasVersionOne(connection), hasVersionTwo(connection)]
    if (!first && !second) return undefined
    const found = new Map<string, Artifact>()
    if (first) {
      const originals = originalsIn(connection)
      for (const row of connection.database.prepare(STATEMENTS.sessions).all())
        add(row, `${row.parts} ${originals.get(String(row.id)) ?? ''}`)
    }
    // A session that version 2 took over has its later messages there. Until it has any, the old ones count.
    if (second)
      for (const row of connection.database.prepare(STATEMENTS.sessionsOf2).all())
        if (Number(row.messages) > 0 || !found.has(String(row.id))) add(row, `v2 ${row.fork ?? ''}`)
    return [...found.values()]

    function add({ id, parent, title, messages, updated, changed }: Row, further: string): void {
      found.set(String(id), {
        ...owner,
        path: `${path}#${id}`,
        database: path,
        kind: 'transcript' as const,
        state: 'live' as const,
        sessionId: String(id),
        bytes: (Number(messages) + 1) * USUAL_MESSAGE,
        modifiedMs: asTime(updated) ?? 0,
        // Messages change in place, so that every change begins a new reading.
        identity: `${file}#${id} ${changed} ${messages} ${further}`.trimEnd(),
        ...(typeof parent === 'string' && {
          kindHint: 'subagent' as const,
          parentSessionId: parent,
          ...subagentIn(title),
        }),
      })
    }
  })
}

type Row = Readonly<Record<string, unknown>>

/** What a database contains that this version does not know, in words. Throws engine errors. */
export const unknownOf = (path: string): string | undefined =>
  ask(path, (connection) =>
    unknownIn(connection, { known: ['session', 'message', 'part', 'session_v2', 'session_message'] }),
  )

const SUBAGENT = /^(.+) \(@(\S+) subagent\)$/

/** Task and type of a subagent, as its title says. */
export function subagentIn(title: unknown): Pick<Artifact, 'subagent'> {
  const [, description, type] = SUBAGENT.exec(asText(title) ?? '') ?? []
  return description === undefined ? {} : { subagent: { type, description } }
}

/**
 * The session that each fork was made from. Neither names the other, so that the latest message decides that
 * both have, by its time and its words. If several have it, the oldest of them counts. A fork whose original
 * was deleted has none. `only`: the one fork to look at.
 */
export function originalsIn({ database }: Connection, only?: string): ReadonlyMap<string, string> {
  const originals = new Map<string, string>()
  const parts = database.prepare(STATEMENTS.partsOfMessage)
  const wordsOf = (message: unknown): string =>
    JSON.stringify(
      parts.all(String(message)).flatMap(({ data }) => {
        const part = asObject(parsedJson(data))
        return part?.type === 'text' ? [part.text] : []
      }),
    )
  const copies =
    only === undefined
      ? database.prepare(STATEMENTS.copies).all()
      : database.prepare(STATEMENTS.copiesIn).all(only)
  for (const { fork, copy, original, message } of copies)
    if (!originals.has(String(fork)) && wordsOf(copy) === wordsOf(message))
      originals.set(String(fork), String(original))
  return originals
}
