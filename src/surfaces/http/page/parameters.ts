import { checkedInput } from '../../../commands/kit/command.ts'
import { flagsOf } from '../../../commands/kit/flags.ts'
import type { Question } from '../../../commands/serve/question.ts'
import { ScrollbackError } from '../../../errors.ts'
import type { Given } from './protocol.ts'

/** Converts what a request states to the input of a command, and checks it. */
export function inputOf(
  { input }: Pick<Question, 'input'>,
  without: readonly string[],
  given: Given,
): Record<string, unknown> {
  const kinds = new Map(flagsOf(input).map(({ field, kind }) => [field, kind]))
  for (const name of without) kinds.delete(name)
  const values: Record<string, unknown> = {}
  const kindOf = (name: string): string => {
    const kind = kinds.get(name)
    if (kind) return kind
    throw invalid(name, 'unknown parameter', `Use ${[...kinds.keys()].join(', ') || 'none'}.`)
  }
  if ('fields' in given) {
    for (const name of Object.keys(given.fields)) kindOf(name)
    return checkedInput({ input }, given.fields)
  }
  for (const [name, texts] of Object.entries(given.parameters)) {
    const kind = kindOf(name)
    if (kind === 'list') values[name] = texts
    else if (texts.length > 1) throw invalid(name, 'given more than once', 'Give it once.')
    else values[name] = kind === 'switch' ? switched(name, texts[0]!) : texts[0]
  }
  return checkedInput({ input }, values)
}

function switched(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw invalid(name, 'invalid value', 'Use true or false.')
  return text === 'true'
}

const invalid = (name: string, what: string, wayOut: string): ScrollbackError =>
  new ScrollbackError('bad-option', `${name.slice(0, 100)}: ${what}`, wayOut)
