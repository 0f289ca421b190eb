import { asObject, asText, parsedJson } from '../../../model/json.ts'
import { typedWords } from '../records/words.ts'
import { STATEMENTS } from '../statements.ts'
import { ask } from './sessions.ts'

/**
 * A test for whether a prompt or a command of the shell (`!ls`) is in a session of these databases, or was
 * before it was taken back, or is among those elsewhere. Throws engine errors.
 */
export function typedEver(
  databases: readonly string[],
  elsewhere: () => readonly string[],
): (prompt: string) => boolean {
  const others = lazily(() => new Set(elsewhere().map(plain)))
  const present = lazily(() => textsOf(databases, STATEMENTS.prompts))
  const commands = lazily(() => textsOf(databases, STATEMENTS.commands))
  const earlier = lazily(() => textsOf(databases, STATEMENTS.earlierTexts, 'event'))
  return (prompt) => {
    const words = plain(prompt)
    const isHere = words.startsWith('!')
      ? commands().has(words)
      : present().has(words) || earlier().has(words)
    return isHere || others().has(words)
  }
}

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
        const command = asText(asObject(asObject(part?.state)?.input)?.command)
        const text = asText(part?.text)
        if (command !== undefined) texts.add(plain(`!${command}`))
        else if (text !== undefined) texts.add(plain(typedWords(text)))
      }
    })
  return texts
}
