import { readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { SeekableSource } from '../../io/source.ts'
import { asArray, asObject, asText, asTime, parsedJson } from '../../model/json.ts'
import { SHELL, typedWords } from './words.ts'

/** A session as stored, in a database or in files. */
export interface StoredSession {
  id: string
  parent?: string
  directory?: string
  title?: string
  version?: string
  /** In ms. */
  created?: number
  /** The session that this one is a fork of, if that is there. */
  forkOf?: string
}

/** A message with its parts, each as JSON. */
export interface StoredMessage {
  id: string
  /** In ms, or the number of the message: what they are sorted by. */
  at: number
  data: string
  parts: string[]
  /** A person took it back. */
  removed: boolean
  /** What a person ran in the shell, if it is not in the reply to it. */
  command?: string | undefined
}

/**
 * A session as lines: its header, and each message with its parts as content, in the order in which they were
 * written. A message that is no JSON becomes a malformed line, and such a part `null`.
 */
export function linesOf(session: StoredSession, messages: readonly StoredMessage[]): Buffer {
  const stored = messages.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
  const parts = stored.map((message) => message.parts.map(parsedJson))
  // Each message follows the one before. What was taken back is followed by nothing that remained.
  let last: string | null = null
  let lastRemoved: string | null = null
  const lines = [JSON.stringify({ type: 'session', ...session })]
  // Nobody forks the session of a subagent.
  const shared = session.parent === undefined ? sharedIds(stored, parts) : []
  for (const [index, { id, data, removed, command: own }] of stored.entries()) {
    const parentId = removed ? (lastRemoved ?? last) : last
    if (removed) lastRemoved = id
    else {
      last = id
      lastRemoved = null
    }
    const command = own ?? commandIn(parts[index]!, parts[index + 1])
    const isShell = index > 0 && commandIn(parts[index - 1]!, parts[index]) !== undefined
    const message = asObject(parsedJson(data))
    const content = parts[index]!.map((part) => part ?? null)
    const line = {
      type: 'message',
      id,
      parentId,
      command,
      ...(isShell && { isShell }),
      shared: shared[index],
    }
    lines.push(message ? JSON.stringify({ ...line, message: { ...message, content } }) : `damaged: ${id}`)
  }
  if (stored.at(-1)?.removed && last !== null) lines.push(JSON.stringify({ type: 'leaf', target: last }))
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

/**
 * What identifies messages in forks as well, which copy them under other ids: their times, and those of
 * their first parts, because two sessions may write at the same time.
 */
function sharedIds(stored: readonly StoredMessage[], parts: readonly (readonly unknown[])[]): string[] {
  const counts = new Map<string, number>()
  return stored.map(({ data }, index) => {
    const begun = parts[index]!.map((part) => asTime(asObject(asObject(part)?.time)?.start))
    const name = `${timeOf(data)}.${begun.find((time) => time !== undefined) ?? ''}`
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}.${count}`
  })
}

/** The command of the shell that a message stands for: the reply to it contains the call. */
function commandIn(parts: readonly unknown[], next: readonly unknown[] | undefined): string | undefined {
  const only = asObject(parts[0])
  if (parts.length !== 1 || only?.synthetic !== true || !asText(only.text)?.startsWith(SHELL))
    return undefined
  const call = next?.map(asObject).find((part) => part?.type === 'tool')
  return asText(asObject(asObject(call?.state)?.input)?.command)
}

/** The texts of a session, and the commands of the shell in it with their sign. Closes the source. */
export function promptsIn(source: SeekableSource): string[] {
  const found: string[] = []
  try {
    readLines(source, ({ bytes, start, end }) => {
      for (const entry of parseLine(bytes, start, end).entries)
        for (const each of asArray(asObject(asObject(entry)?.message)?.content) ?? []) {
          const part = asObject(each)
          const command = asText(asObject(asObject(part?.state)?.input)?.command)
          const text = asText(part?.text)
          if (command !== undefined) found.push(`!${command}`)
          else if (text !== undefined) found.push(typedWords(text))
        }
    })
  } finally {
    source.close()
  }
  return found
}

/** When a message was written, as its JSON says. */
export const timeOf = (data: string): number =>
  asTime(asObject(asObject(parsedJson(data))?.time)?.created) ?? 0

/**
 * Marks what a person took back and may still restore: `revert` in the session names the first message.
 * Their ids ascend.
 */
export function withReverted(messages: StoredMessage[], revert: unknown): StoredMessage[] {
  const first = asText(asObject(revert)?.messageID)
  // A part in the middle of a reply: what precedes it remains.
  if (first === undefined || asText(asObject(revert)?.partID) !== undefined) return messages
  return messages.map((message) => (message.id >= first ? { ...message, removed: true } : message))
}
