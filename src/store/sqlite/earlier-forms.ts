import type { DatabaseSync } from 'node:sqlite'
import type { MessageRow } from '../increment.ts'
import { speakerNumber } from '../stored.ts'
import type { createOccurrences } from './occurrences.ts'

const AGENT = speakerNumber('agent')
const PROMPTS = new Set([speakerNumber('human'), speakerNumber('program')])

/** What a record says, at one of the times when it was read: words, or what a call is about. */
export interface Form {
  who: number
  text: string | null
}

/** Whether the words of a form are in a later one of the same record. If not, they were overwritten. */
export function isContinued({ who, text }: Form, by: string | null): boolean {
  if (text === null) return true
  if (by === null) return false
  const words = text.trim()
  if (by.includes(words)) return true
  if (who !== AGENT) return false
  // A reply that grew may have ended within a secret, which is redacted now.
  const begin = words.slice(0, words.search(/\S*$/))
  return by.startsWith(begin) && /^\S*\[REDACTED:/.test(by.slice(begin.length))
}

type Message = Form & { id: number; artifact: number; line: number; digest: number; modified: number }

/**
 * A copy of a session may have been made while a reply grew. Then the copy has an earlier form of a message
 * than the session itself. Both are one message: the later form replaces the earlier one wherever that is.
 * Returns a function that is called with the rows that were read from a file.
 */
export function createEarlierForms(
  database: DatabaseSync,
  occurrences: ReturnType<typeof createOccurrences>,
): (artifact: number, rows: readonly MessageRow[]) => void {
  const sql = {
    copies: database.prepare(`SELECT b.id FROM artifact a JOIN artifact b ON b.session = a.session
      AND b.platform = a.platform WHERE a.id = ?`),
    forms:
      database.prepare(`SELECT m.id, m.who, coalesce(m.text, m.target) AS text, m.artifact, m.line, m.digest, a.modified FROM message m
      JOIN artifact a ON a.id = m.artifact WHERE m.record = ? ORDER BY m.id`),
    current: database.prepare(`SELECT o.artifact FROM occurrence o JOIN artifact a ON a.id = o.artifact
        AND a.generation = o.generation WHERE o.message = ?1 AND o.copy = 1
      UNION SELECT o.artifact FROM artifact a JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation
        WHERE a.id = ?2 AND o.line = ?3 AND o.message = ?1`),
  }

  const filesWith = ({ id, artifact, line }: Message): Set<unknown> =>
    new Set(sql.current.all(id, artifact, line).map((row) => row.artifact))

  /** A form of a record that is in other copies than a later one, with that one. */
  function replacedOf(record: number, copies: ReadonlySet<unknown>): [Message, Message] | undefined {
    const forms = sql.forms.all(record) as unknown as Message[]
    if (forms.length < 2) return undefined
    const all = forms.map((form) => ({ form, files: filesWith(form) }))
    for (const { form, files } of all)
      for (const other of all)
        if (
          !intersect(files, other.files) &&
          intersect(files, copies) &&
          intersect(other.files, copies) &&
          isLater(other.form, form)
        )
          return [form, other.form]
    return undefined
  }

  return (artifact, rows) => {
    const copies = new Set(sql.copies.all(artifact).map(({ id }) => id))
    if (copies.size < 2) return
    for (const record of new Set(rows.flatMap((row) => (row.record < 0 ? [] : row.record))))
      for (let found = replacedOf(record, copies); found; found = replacedOf(record, copies))
        occurrences.replace(found[0].id, found[1].id)
  }
}

const intersect = (one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean =>
  [...one].some((each) => other.has(each))

/** Whether a form of a record is a later one. Of forms that say the same, that in the newer file is. */
function isLater(one: Message, other: Message): boolean {
  if (one.who !== other.who && !(PROMPTS.has(one.who) && PROMPTS.has(other.who))) return false
  const isNewer = one.modified > other.modified || (one.modified === other.modified && one.id > other.id)
  if (one.text === null && other.text === null) return isNewer
  // Both hold for equal texts, and if each ended within a secret.
  const [forth, back] = [isContinued(other, one.text), isContinued(one, other.text)]
  return forth && (!back || lengthOf(one) > lengthOf(other) || (lengthOf(one) === lengthOf(other) && isNewer))
}

const lengthOf = ({ text }: Form): number => text?.length ?? 0
