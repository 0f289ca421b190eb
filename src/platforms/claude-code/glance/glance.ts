import {
  ARRAY,
  depthOf,
  isElement,
  keyOf,
  kindOf,
  type LineShape,
  OBJECT,
  STRING,
  TRUE,
  wordOf,
} from '../../../io/scanner/shape.ts'
import type { Artifact } from '../../../model/artifact.ts'
import type { Glance, Purpose } from '../../platform.ts'
import { ANSWERED, REFUSALS } from '../records/answers.ts'
import { ATTACHMENTS, BOOKKEEPING } from '../records/entry-types.ts'
import {
  API_ERROR,
  ASSISTANT,
  ATTACHMENT,
  ATTACHMENT_KIND,
  CONTENT,
  COST,
  FEEDBACK,
  FORKED_FROM,
  IS_ERROR,
  MESSAGE,
  numbered,
  REQUEST_ID,
  SIDECHAIN,
  TOOL_RESULT,
  TYPE,
  USER,
} from '../words/words.ts'
import { begins } from './figures.ts'
import { reply } from './index-fields.ts'
import { replyMessage } from './message.ts'

const skippedTypes = new Map<number, Glance>(
  BOOKKEEPING.map((type) => [numbered(type), { bucket: 'skipped', name: type }]),
)
const skippedAttachments = new Map<number, Glance>(
  ATTACHMENTS.map((type) => [numbered(type), { bucket: 'skipped', name: `attachment:${type}` }]),
)
const EVENT: Glance = { bucket: 'event' }

/** The fast path: bookkeeping, tool results without an error, and, for purpose `index`, replies. */
export function glance(line: LineShape, _artifact: Artifact, purpose: Purpose): Glance | undefined {
  const { words, first } = line
  const end = first + line.pairs * 3
  let type = 0
  let message = -1
  let attachment = -1
  let aside = false
  let request = -1
  for (let index = first; index < end; index += 3) {
    const meta = words[index]!
    if (depthOf(meta) !== 1) continue
    const key = keyOf(meta)
    if (key === TYPE) type = kindOf(meta) === STRING ? wordOf(meta) : 0
    else if (key === MESSAGE) message = kindOf(meta) === OBJECT ? index : -1
    else if (key === ATTACHMENT) attachment = kindOf(meta) === OBJECT ? index : -1
    else if (key === SIDECHAIN) aside = kindOf(meta) === TRUE
    else if (key === REQUEST_ID) request = index
    else if (key === FEEDBACK || key === COST) return undefined
    else if (key === FORKED_FROM && purpose === 'read') return undefined
    else if (key === API_ERROR && kindOf(meta) === TRUE) return undefined
  }
  if (type === USER) return message < 0 ? undefined : toolResults(line, message + 3, end, purpose)
  if (type === ASSISTANT && message >= 0) {
    const span = { from: message + 3, end, aside, request }
    return purpose === 'index' ? reply(line, span) : replyMessage(line, span)
  }
  if (type === ATTACHMENT_KIND) return attachment < 0 ? undefined : injected(line, attachment + 3, end)
  return skippedTypes.get(type)
}

/** A line with only tool results. Successful ones are never parsed, failed ones only if they are shown. */
function toolResults(line: LineShape, from: number, end: number, purpose: Purpose): Glance | undefined {
  const { words } = line
  let blocks = 0
  let results = 0
  let contents = 0
  let errors = 0
  let refusable = false
  for (let index = from; index < end; index += 3) {
    const meta = words[index]!
    const depth = depthOf(meta)
    if (depth === 1) break
    const key = keyOf(meta)
    if (depth === 2 && key === CONTENT && (kindOf(meta) !== ARRAY || contents++ > 0)) return undefined
    if (depth === 3 && isElement(meta)) {
      if (kindOf(meta) !== OBJECT || key !== CONTENT) return undefined
      blocks++
    } else if (depth === 4) {
      if (key === TYPE) {
        if (wordOf(meta) !== TOOL_RESULT) return undefined
        results++
      } else if (key === IS_ERROR) {
        if (kindOf(meta) !== TRUE) continue
        if (purpose === 'read') return undefined
        errors++
      } else if (key === CONTENT) {
        if (mayHoldAnswers(line, index)) return undefined
        // A refusal is not an error and may contain a comment. Block content has to be parsed too.
        refusable ||= kindOf(meta) !== STRING || REFUSALS.some((opening) => begins(line, index, opening))
      }
    }
  }
  if (blocks === 0 || blocks !== results || (errors > 0 && (refusable || errors !== blocks))) return undefined
  return errors === 0 ? EVENT : { bucket: 'event', errors }
}

const ANSWER_REACH = 512

/** Whether a result begins with the phrase that introduces the human's answers. */
function mayHoldAnswers(line: LineShape, index: number): boolean {
  const start = line.words[index + 1]!
  const stop = Math.min(line.words[index + 2]!, start + ANSWER_REACH)
  if (kindOf(line.words[index]!) === STRING) return ANSWERED.some((opening) => begins(line, index, opening))
  const beginning = line.bytes.toString('latin1', start, stop)
  return ANSWERED.some((opening) => beginning.includes(opening))
}

function injected(line: LineShape, from: number, end: number): Glance | undefined {
  let found: Glance | undefined
  for (let index = from; index < end; index += 3) {
    const meta = line.words[index]!
    if (depthOf(meta) === 1) break
    if (depthOf(meta) === 2 && keyOf(meta) === TYPE) found = skippedAttachments.get(wordOf(meta))
  }
  return found
}
