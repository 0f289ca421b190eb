import { withoutSpans } from './spans.ts'

const THOUGHT = /<(think|thinking|thought|antthinking)>/
const THOUGHT_OPEN = /^\s*<(?:think|thinking|thought|antthinking)\b[^>]*>/i
const THOUGHT_CLOSE = /<\/(?:think|thinking|thought|antthinking)\s*>/i
const FINAL = /<\/?final\b[^>]*>/gi
const DIRECTIVE =
  /\[\[\s*(?:reply_to_current|reply_to\s*:[^\]\n]*|audio_as_voice|\/?tts(?::[^\]\n]*)?)\s*\]\][ \t]*/gi
const MEDIA = /^[ \t]*`?MEDIA:[ \t]*\S[^\n]*$\n?/gm
/** Code may contain all of these. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/

/**
 * The text of a reply's text block without thinking and delivery directives. Empty if the agent chose to stay
 * silent.
 */
export function agentWords(raw: string) {
  const thinking: string[] = []
  let media = 0
  let text = withoutThoughts(raw, thinking)
  if (text.includes('[[') || text.includes('MEDIA:') || text.includes('<'))
    text = outsideCode(text, (part) =>
      part
        .replace(FINAL, '')
        .replace(DIRECTIVE, '')
        .replace(MEDIA, () => {
          media++
          return ''
        }),
    )
  return { text: withoutSilence(text.trim()), thinking, media }
}

function withoutThoughts(raw: string, thinking: string[]): string {
  if (!raw.includes('<')) return raw
  let text = outsideCode(raw, (part) =>
    withoutSpans(
      part,
      THOUGHT,
      ([, tag]) => `</${tag!.toLowerCase()}>`,
      ({ inside }) => inside.trim() && thinking.push(inside.trim()),
    ),
  )
  // Some models omit the opening tag, and an interrupted reply the closing one.
  const close = CODE.test(text) ? null : THOUGHT_CLOSE.exec(text)
  if (close) {
    thinking.push(text.slice(0, close.index).trim())
    text = text.slice(close.index + close[0].length)
  } else if (THOUGHT_OPEN.test(text)) {
    thinking.push(text.replace(THOUGHT_OPEN, '').trim())
    text = ''
  }
  return text
}

const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')

const TOKEN = 'NO_REPLY|HEARTBEAT_OK|ANNOUNCE_SKIP|REPLY_SKIP'
const EDGE = '[\\s*_~`"\'.,:;!?()\\[\\]{}-]'
/** A text that consists only of such tokens, however decorated. */
const SILENT = new RegExp(`^(?:<[a-z]+>|${EDGE})*(?:(?:${TOKEN})(?:</?[a-z]+>|${EDGE}|&nbsp;)*)+$`, 'i')
const SILENT_ACTION = new RegExp(`^\\{\\s*"action"\\s*:\\s*"(?:${TOKEN})"\\s*\\}$`, 'i')
/** Before or after text only the exact token counts, with or without a space. */
const LEADING = /^(?:\*\*)?(?:NO_REPLY|HEARTBEAT_OK)(?:\*\*)?[.!]?\s*(?=[^\s_a-z])/
const TRAILING = /(?<![\w"'`])\*{0,2}(?:NO_REPLY|HEARTBEAT_OK)\*{0,2}$/

/** What newer versions store for a reply without content. */
const FAILED = '[assistant turn failed before producing content]'

function withoutSilence(text: string): string {
  if (text === FAILED) return ''
  if (!/NO_REPLY|HEARTBEAT_OK|_SKIP/i.test(text)) return text
  if (SILENT.test(text) || SILENT_ACTION.test(text)) return ''
  return text.replace(LEADING, '').replace(TRAILING, '').trim()
}
