import {
  follows,
  isComplete,
  isShortened,
  type LongValue,
  type LongValues,
  mayContain,
  type Need,
} from '../../io/long-values.ts'
import { asArray, asNumber, asObject, asText, firstOf, type JsonObject } from '../../model/json.ts'
import { ERROR_WORDS } from '../error-words.ts'
import { areArgumentsEnough, WRITTEN } from '../written-values.ts'
import { plain, textOf } from './entry.ts'
import { isReader, READER_REACH, toolError } from './tool-results.ts'

/** Tools that return what they read, as clients write them before a result. */
const BEFORE_READ = ['"toolName":"read"', '"toolName":"grep"', '"toolName":"find"'] as const

/** What is read of long values: words, summaries, and lines that read like an error. */
export const longValues: LongValues = {
  needs: {
    message: {
      content: {
        '[]': {
          text: textNeed,
          thinking: 'nothing',
          thinkingSignature: 'nothing',
          textSignature: 'nothing',
          partialJson: 'nothing',
          data: 'nothing',
          source: 'nothing',
          arguments: WRITTEN,
        },
      },
      details: {
        status: 'whole',
        error: 'whole',
        readFiles: 'whole',
        modifiedFiles: 'whole',
        '*': 'nothing',
      },
      output: (value) => (follows(value, '"role":"bashExecution"') ? 'nothing' : 'whole'),
    },
    data: 'nothing',
  },
  isEnough(entry) {
    const message = asObject(asObject(entry)?.message)
    return message === undefined || isMessageEnough(message)
  },
}

/** A result without the words of an error has none, and of what a tool has read only the beginning counts. */
function textNeed(value: LongValue): Need {
  if (!follows(value, '"role":"toolResult"')) return 'whole'
  if (BEFORE_READ.some((words) => follows(value, words))) return 'beginning'
  return mayContain(value, ERROR_WORDS) ? 'whole' : 'nothing'
}

function isMessageEnough(message: JsonObject): boolean {
  const blocks = (asArray(message.content) ?? []).map((block) => asObject(block) ?? {})
  const calls = blocks.every(({ name, arguments: given }) => areArgumentsEnough(name, given))
  if (!calls) return false
  const role = plain(asText(message.role) ?? '')
  if (role === 'bashexecution') {
    const hasFailed = (asNumber(message.exitCode) ?? 0) !== 0 || message.cancelled === true
    return !isShortened(message.output) || !hasFailed
  }
  if (isShortened(message.output)) return false
  const shortened = blocks.filter(({ text }) => isShortened(text))
  return shortened.length === 0 || (RESULTS.has(role) && isResultEnough(message, shortened))
}

const RESULTS: ReadonlySet<string> = new Set(['toolresult', 'tool', 'function'])

function isResultEnough(message: JsonObject, shortened: readonly JsonObject[]): boolean {
  const name = firstOf(asText, message, 'toolName', 'tool_name', 'name')
  const text = textOf(message.content)
  if (toolError(message, name, text).error !== undefined) return false
  return isReader(name) ? isComplete(text.slice(0, READER_REACH + NEAR)) : !shortened.some(hasBeginning)
}

/** Characters behind a word that decide whether it is an error. */
const NEAR = 100

/** The rest of such a value was not searched. */
const hasBeginning = ({ text }: JsonObject): boolean => !isShortened(text) || asText(text)!.length > 1
