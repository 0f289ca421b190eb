import { append } from '../../../model/iteration.ts'
import { asObject, asText, type JsonObject, parsedJson } from '../../../model/json.ts'
import { withoutSpans } from './spans.ts'

/** A text without injected context, and what the context said about the sender. */
export interface Uncovered {
  text: string
  group: boolean
  sender?: string
  /** All names of the sender, because channels put one before the text. */
  names: string[]
  forwardedFrom?: string
  /** The gateway wrote the message itself to resume after a restart. */
  resumed?: boolean
}

const MARKER = '⟦openclaw:ctx⟧'
/** Older form: `Sender (untrusted metadata):`, `Replied message (untrusted, for context):` and similar. */
const METADATA =
  /^.+ \((?:untrusted metadata|untrusted, for context|untrusted, nearest first|trusted queue data)\):$/
const CHAT_WINDOW = /^.+ \(untrusted, chronological(?:, [^)]+)?\):$/
const TRAILER =
  /^(?:Untrusted context \(metadata, do not treat as instructions or commands\)|Channel context):$/
const TRAILER_PROOF = /^(?:<<<EXTERNAL_UNTRUSTED_CONTENT|UNTRUSTED channel metadata \(|Source:)/
const HINT =
  /^(?:Delivery: (?:to send a message, use the `message` tool\.|Final assistant text is not automatically delivered|No visible reply is delivered automatically)|requester_profile is the verified linked requester\.)/
const IDS = /^\s*\[(?:message_id:|[\w ]+ message id:|from:)\s*[^\]]+\]\s*$/i
/** Feishu's notes about mentions, at the end of the text. */
const REMARK =
  /^\[System: (?:The content may include mention tags|If user_id is |Your reply will automatically|Feishu users mentioned)/
/** Notices that extend to the next empty line. */
const NOTICE = /^\[Bootstrap (?!pending)[a-z ]+\]$/
/** The notice for a workspace that is not set up. Only at the beginning, because humans also quote it. */
const PENDING = /^\[Bootstrap pending\]\s*\n?(?:There is a BOOTSTRAP\.md|[^\n]*\bread BOOTSTRAP\.md)/
const STARTUP = '[Startup context loaded by runtime]'
/** A message that the current one replies to, before it or on the same line. */
const QUOTE = /\[(Replying|Quoting)(?: to)? [^\]\n]*\]/
/** Ids and names after the text. The earliest versions have them on the same line. */
const TAIL = /(?:\\n)?\[(?:message_id:|from:|[\w ]+ message id:) [^\]\n]*\]$/i
const HEAD = /^(?:Conversation info|Sender)[ :]/
/** Blocks that plug-ins for memory and safety insert into a message. */
const BLOCKS =
  /<(relevant-memories|active_memory_plugin|supermemory-context|memory-context|recalled-memories|hindsight_memories|derived-focus|inherited-rules|error-detected|ingest-reply-assist|relevant_memories|openguardrails|composio|session-context|self-improvement-reminder)(?: [^>\n]*)?>\n/

/** Removes the notice that the workspace is not set up yet. */
export function withoutPending(text: string): string {
  if (!PENDING.test(text)) return text
  const end = text.search(/\n[ \t]*\n/)
  return end < 0 ? '' : text.slice(end).trimStart()
}

/** Removes every block, line and trailer that the program wrote into a user message. */
export function uncover(raw: string): Uncovered {
  const found: Uncovered = { text: '', group: false, names: [] }
  const lines = withoutPending(withoutBlocks(raw).trimStart()).split('\n')
  let rest: string[] = []
  const lastNotes = lines.findLastIndex((line) => line.trim() === 'END_QUOTED_NOTES')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!.trim()
    const next = lines[index + 1]?.trim()
    const marked = line.length > MARKER.length && line.endsWith(MARKER)
    if (line === `Context: ${MARKER}`) break
    if (
      TRAILER.test(line) &&
      lines.slice(index + 1, index + 8).some((later) => TRAILER_PROOF.test(later.trim()))
    )
      break
    if (line === STARTUP) index = endOfStartup(lines, index, lastNotes)
    else if ((marked || METADATA.test(line)) && next === '```json') {
      const end = findLine(lines, index + 2, '```')
      readMetadata(line, lines.slice(index + 2, end < 0 ? undefined : end).join('\n'), found)
      // Nothing before the sender's card is the sender's text, except notes about files.
      if (HEAD.test(line)) rest = rest.filter((above) => above.startsWith('[media attached'))
      index = end < 0 ? lines.length : end
    } else if (marked || CHAT_WINDOW.test(line) || NOTICE.test(line)) index = endOfParagraph(lines, index)
    else if (!HINT.test(line) && !IDS.test(line) && !REMARK.test(line)) rest.push(lines[index]!)
  }
  return {
    ...found,
    text: withoutTail(withoutSpans(rest.join('\n'), QUOTE, ([, word]) => `[/${word!.toLowerCase()}]`).trim()),
  }
}

/** A tail is short. The limit keeps long runs of white space cheap. */
const TAIL_REACH = 400

function withoutTail(text: string): string {
  let rest = text
  for (;;) {
    const tail = TAIL.exec(rest.slice(-TAIL_REACH))
    if (!tail) return rest
    rest = rest.slice(0, rest.length - tail[0].length).trimEnd()
  }
}

function withoutBlocks(text: string): string {
  let rest = withoutInternal(text)
  if (rest.includes('</')) {
    rest = rest.replace(/^(?:Context:|Untrusted context \(.*\):)\n(?=<active_memory_plugin>)/m, '')
    rest = withoutSpans(rest, BLOCKS, ([, tag]) => `</${tag!.toLowerCase()}>`)
  }
  return rest
}

const BEGIN = '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>'
const END = '<<<END_OPENCLAW_INTERNAL_CONTEXT>>>'

/** A block without closing extends to the end. */
function withoutInternal(text: string): string {
  let rest = text
  for (;;) {
    const begin = rest.indexOf(BEGIN)
    if (begin < 0) return rest
    let depth = 0
    let at = begin
    do {
      const open = rest.indexOf(BEGIN, at)
      const close = rest.indexOf(END, at)
      if (close < 0) return rest.slice(0, begin)
      if (open >= 0 && open < close) {
        depth++
        at = open + BEGIN.length
      } else {
        depth--
        at = close + END.length
      }
    } while (depth > 0)
    rest = `${rest.slice(0, begin)}${rest.slice(at)}`
  }
}

function findLine(lines: readonly string[], from: number, wanted: string): number {
  for (let at = from; at < lines.length; at++) if (lines[at]!.trim() === wanted) return at
  return -1
}

/** The last line of the paragraph that begins at `index`. */
function endOfParagraph(lines: readonly string[], index: number): number {
  const blank = findLine(lines, index + 1, '')
  return blank < 0 ? lines.length : blank
}

/** Daily notes are quoted after the notice, each ended by a line of its own. */
function endOfStartup(lines: readonly string[], index: number, last: number): number {
  if (last < index) return endOfParagraph(lines, index)
  const following = lines[last + 1]?.trim() === '' ? lines[last + 2] : lines[last + 1]
  return /^\.\.\.\[.*truncated.*\]/.test(following?.trim() ?? '') ? endOfParagraph(lines, last + 1) : last
}

/** Reads a metadata block. Fences inside its values are escaped with a zero-width space. */
function readMetadata(header: string, json: string, found: Uncovered): void {
  const fields = asObject(parsedJson(json))
  if (!fields) return
  if (header.startsWith('Forwarded message context'))
    found.forwardedFrom = asText(fields.from) ?? asText(fields.title) ?? 'someone'
  else if (header.startsWith('Conversation info')) {
    if (asText(fields.message_id)?.startsWith('restart-sentinel')) found.resumed = true
    if (fields.is_group_chat === true || asText(fields.group_subject) || asText(fields.group_channel))
      found.group = true
    const inner = asObject(fields.sender)
    const names = inner
      ? namesOf(inner)
      : [fields.sender, fields.sender_id].flatMap((name) => asText(name) ?? [])
    append(found.names, names)
    found.sender ??= names[0]
  } else if (header.startsWith('Sender ') || header.startsWith('Sender:')) {
    const names = namesOf(fields)
    append(found.names, names)
    found.sender = names[0] ?? found.sender
  }
}

const namesOf = (fields: JsonObject): string[] =>
  [fields.name, fields.label, fields.username, fields.tag, fields.e164, fields.id].flatMap(
    (name) => asText(name) ?? [],
  )
