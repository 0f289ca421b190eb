import {
  follows,
  isComplete,
  isShortened,
  type LongValue,
  type LongValues,
  mayContain,
  type Need,
  type Needs,
} from '../../../io/long-values.ts'
import { toolTarget } from '../../../model/fold/tool-arguments.ts'
import { asObject, type JsonObject } from '../../../model/json.ts'
import { isSkippedMessage } from './normalize.ts'
import { failureIn, hasFailed, outputOf, partsOf, REFUSED } from './tools.ts'

/** What a command printed, or a server returned. It is read after a failure. */
const OUTCOME: Readonly<Record<string, Needs>> = {
  aggregated_output: 'nothing',
  formatted_output: 'nothing',
  stdout: 'nothing',
  stderr: 'nothing',
  changes: { '*': { content: 'nothing', unified_diff: 'nothing' } },
  result: 'nothing',
}

/** What is read of long values: words, patches as far as they name files, and failures. */
export const longValues: LongValues = {
  needs: {
    payload: {
      ...OUTCOME,
      item: OUTCOME,
      output: outputNeed,
      input: patchNeed,
      content: { '[]': { text: instructionNeed, image_url: 'nothing', encrypted_content: openNeed } },
      encrypted_content: 'nothing',
      base_instructions: 'nothing',
      instructions: 'nothing',
      user_instructions: 'nothing',
      developer_instructions: 'nothing',
      collaboration_mode: 'nothing',
      dynamic_tools: 'nothing',
      thread_settings: { collaboration_mode: 'nothing' },
      tools: 'nothing',
      state: 'nothing',
      replacement_history: 'nothing',
      unified_diff: 'nothing',
      images: 'nothing',
    },
    output: outputNeed,
    encrypted_content: 'nothing',
    instructions: 'nothing',
  },
  isEnough(entry) {
    const record = asObject(entry) ?? {}
    const item = asObject(record.payload) ?? record
    return isOutcomeEnough(item) && isOutcomeEnough(asObject(item.item) ?? {}) && isItemEnough(item)
  },
}

const isOutcomeEnough = (item: JsonObject): boolean =>
  !Object.keys(OUTCOME).some((key) => isShortened(item[key])) || failureIn(item) === undefined

function isItemEnough(item: JsonObject): boolean {
  if (isShortened(item.output) && !isResultEnough(item.output)) return false
  if (isShortened(item.input) && !isPatchEnough(item)) return false
  return !isShortened(item.content) || isInstruction(item)
}

/** Whether the beginning of a result is enough: it has no answer of a person, and no error. */
function isResultEnough(output: unknown): boolean {
  const text = outputOf(output)
  if (/^\s*\{/.test(text)) return false
  const { head, printed } = partsOf(text)
  const isKnown = isComplete(head) && isComplete(printed.slice(0, LEAST))
  return isKnown && (REFUSED.test(text) || !hasFailed(output, text))
}

/** Whether the name of the first file was left of a patch. */
function isPatchEnough({ name, input }: JsonObject): boolean {
  const target = name === 'apply_patch' ? toolTarget(name, { input }) : undefined
  return target !== undefined && isComplete(target.text)
}

/** Whether a message is skipped. A command that a person typed is not, and its beginning tells. */
function isInstruction(item: JsonObject): boolean {
  const opening = outputOf(item.content).trimStart().slice(0, LEAST)
  return isSkippedMessage(item) && isComplete(opening) && !opening.startsWith('<user_shell_command')
}

/** Characters that tell what a text is. */
const LEAST = 40

/** What the client says of a result ends with this line. What follows was printed. */
const OUTPUT = 'Output:'
const PREFACE = /(?:^|[^\\]\\n)Output:\\n/

/** The beginning of a patch names its file, if it has only one. */
function patchNeed(value: LongValue): Need {
  if (!beginningOf(value).startsWith('*** Begin Patch')) return 'whole'
  const { bytes, open, close } = value
  const text = bytes.subarray(open, close)
  const second = text.indexOf(NEXT, text.indexOf(NEXT) + 1)
  return second >= 0 && !LAST.some((last) => text.indexOf(last) === second) ? 'whole' : 'beginning'
}

/** The lines of a patch that name files begin like this, and so does its end. */
const NEXT = '\\n*** '
const LAST = ['\\n*** End Patch', '\\n*** End of File\\n*** End Patch']

function outputNeed(value: LongValue): Need {
  const beginning = beginningOf(value)
  if (beginning.startsWith('{')) return 'whole'
  return PREFACE.test(beginning) || !mayContain(value, [OUTPUT]) ? 'beginning' : 'whole'
}

/** What is not encrypted, though it is called so, has spaces. */
function openNeed(value: LongValue): Need {
  return mayContain(value, [' ']) ? 'whole' : 'nothing'
}

/** Instructions of the client, which are skipped. */
function instructionNeed(value: LongValue): Need {
  return INSTRUCTING.some((words) => follows(value, words)) ? 'beginning' : 'whole'
}

const INSTRUCTING = ['"role":"developer"', '"role":"user"'] as const

const beginningOf = ({ bytes, open }: LongValue): string =>
  bytes.toString('latin1', open + 1, open + 1 + REACH)
/** Less than what is left of a value. */
const REACH = 500
