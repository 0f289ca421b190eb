import {
  ARRAY,
  depthOf,
  isElement,
  isEscaped,
  keyOf,
  kindOf,
  type LineShape,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  TRUE,
  textAt,
  wordOf,
} from '../../../io/scanner/shape.ts'
import type { Artifact } from '../../../model/artifact.ts'
import type { Glance, Purpose, Vocabulary } from '../../platform.ts'
import { isBadStatus, isReader, READER_REACH } from './tool-errors.ts'

/** Bookkeeping types, skipped under their own name. */
const BOOKKEEPING = ['thinking_level_change', 'label', 'usage', 'context_edit']
/** Types that are counted together with the kind of record. */
const NAMED = ['custom', 'custom_message']

// biome-ignore format: a list
export const vocabulary: Vocabulary = {
  keys: [
    'type', 'customType', 'message', 'role', 'content', 'details', 'toolName', 'isError', 'is_error', 'exitCode', 'exit_code',
    'status', 'error', 'timedOut', 'text', 'id', 'parentId', 'timestamp', 'cwd',
  ],
  descend: ['message', 'details', 'content'],
  values: ['toolResult', 'tool', 'image', ...BOOKKEEPING, ...NAMED],
  envelope: { id: 'id', parentId: 'parentId', at: 'timestamp', cwd: 'cwd' },
}

const WORDS = [...new Set([...vocabulary.keys, ...vocabulary.values])]
const numbered = (word: string): number => WORDS.indexOf(word) + 1
const TYPE = numbered('type')
const CUSTOM_TYPE = numbered('customType')
const MESSAGE = numbered('message')
const ROLE = numbered('role')
const CONTENT = numbered('content')
const DETAILS = numbered('details')
const TOOL_NAME = numbered('toolName')
const FLAGS = new Set(['isError', 'is_error', 'timedOut'].map(numbered))
const EXIT_CODES = new Set(['exitCode', 'exit_code'].map(numbered))
const STATUS = numbered('status')
const ERROR = numbered('error')
const TEXT = numbered('text')
const IMAGE = numbered('image')
const RESULTS = new Set(['toolResult', 'tool'].map(numbered))

const bookkeeping = new Map<number, Glance>(
  BOOKKEEPING.map((type) => [numbered(type), { bucket: 'skipped', name: type }]),
)
const families = new Map(NAMED.map((type) => [numbered(type), type]))
const EVENT: Glance = { bucket: 'event' }

/**
 * The fast path: bookkeeping and successful tool results. A result can fail by its details or by its text, so
 * both are checked. Anything that looks like a failure is parsed.
 */
export function glance(line: LineShape, _artifact: Artifact, _purpose: Purpose): Glance | undefined {
  const { words, first } = line
  const end = first + line.pairs * 3
  let type = 0
  let message = -1
  let customType = -1
  for (let index = first; index < end; index += 3) {
    const meta = words[index]!
    if (depthOf(meta) !== 1) continue
    const key = keyOf(meta)
    if (key === TYPE) type = kindOf(meta) === STRING ? wordOf(meta) : 0
    else if (key === CUSTOM_TYPE) customType = index
    else if (key === MESSAGE) {
      if (message >= 0 || kindOf(meta) !== OBJECT) return undefined
      message = index
    }
  }
  if (type === MESSAGE) return message < 0 ? undefined : toolResult(line, message + 3, end)
  const family = families.get(type)
  return family === undefined ? bookkeeping.get(type) : named(line, family, customType)
}

function named(line: LineShape, family: string, customType: number): Glance | undefined {
  const isText = customType >= 0 && kindOf(line.words[customType]!) === STRING
  if (!isText) return { bucket: 'skipped', name: family }
  const name = textAt(line, customType)
  if (name === undefined) return undefined
  return { bucket: 'skipped', name: name === '' ? family : `${family}:${name}` }
}

function toolResult(line: LineShape, from: number, end: number): Glance | undefined {
  const { words } = line
  let role = 0
  let content = -1
  let toolName = -1
  let inDetails = false
  // Number of blocks, and of those of a known kind.
  let blocks = 0
  let known = 0
  let texts = 0
  for (let index = from; index < end; index += 3) {
    const meta = words[index]!
    const depth = depthOf(meta)
    const key = keyOf(meta)
    if (depth === 1) break
    if (depth === 2) {
      inDetails = key === DETAILS
      if (key === ROLE) role = kindOf(meta) === STRING ? wordOf(meta) : 0
      else if (key === CONTENT) {
        if (content >= 0 || (kindOf(meta) !== ARRAY && kindOf(meta) !== STRING)) return undefined
        content = index
      } else if (key === TOOL_NAME) toolName = index
      else if (FLAGS.has(key) && kindOf(meta) === TRUE) return undefined
    } else if (inDetails) {
      if (depth === 3 && mayFail(line, index)) return undefined
    } else if (depth === 3 && isElement(meta)) blocks++
    else if (depth === 4 && key === TYPE) {
      const word = kindOf(meta) === STRING ? wordOf(meta) : 0
      if (word === TEXT) texts++
      else if (word !== IMAGE) return undefined
      known++
    } else if (depth === 4 && key === TEXT) {
      if (kindOf(meta) !== STRING) return undefined
      texts--
    }
  }
  if (blocks !== known || texts !== 0) return undefined
  return RESULTS.has(role) && content >= 0 && isSpotless(line, content, toolName) ? EVENT : undefined
}

/** Whether a pair of the details may indicate a failure. */
function mayFail(line: LineShape, index: number): boolean {
  const meta = line.words[index]!
  const key = keyOf(meta)
  const kind = kindOf(meta)
  if (FLAGS.has(key)) return kind === TRUE
  if (EXIT_CODES.has(key)) return kind === NUMBER && !isZero(line, index)
  if (key === ERROR) return kind !== NULL
  if (key !== STATUS || kind !== STRING) return false
  return isEscaped(meta) || isBadStatus(textAt(line, index)!)
}

const isZero = (line: LineShape, index: number): boolean =>
  line.words[index + 2]! - line.words[index + 1]! === 1 && line.bytes[line.words[index + 1]!] === 48

/** Letters could also be escaped, so escapes of letters count as matches. */
const MARKS = ['rror', 'ailed', 'RROR', 'AILED', '\\u004', '\\u005', '\\u006', '\\u007'].map((mark) =>
  Buffer.from(mark),
)

const TEXT_BLOCK = Buffer.from('[{"type":"text","text":"')
const END_OF_TEXT = Buffer.from('"}')
/** A character takes at most six bytes in JSON. */
const WINDOW = TEXT_BLOCK.length + READER_REACH * 6

function isSpotless(line: LineShape, content: number, toolName: number): boolean {
  const text = line.bytes.subarray(line.words[content + 1]!, line.words[content + 2]!)
  if (!MARKS.some((mark) => text.includes(mark))) return true
  const name = toolName < 0 ? undefined : textAt(line, toolName)
  return name !== undefined && isReader(name) && beginsSpotless(text)
}

/** The output of a reading tool is judged by its beginning, which must be one text longer than the window. */
function beginsSpotless(text: Buffer): boolean {
  if (text.length <= WINDOW || text.compare(TEXT_BLOCK, 0, TEXT_BLOCK.length, 0, TEXT_BLOCK.length) !== 0)
    return false
  const window = text.subarray(0, WINDOW)
  return !window.includes(END_OF_TEXT) && !MARKS.some((mark) => window.includes(mark))
}
