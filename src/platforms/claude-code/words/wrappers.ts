/** Elements that the client writes into user messages. The human did not type their content. */
const WRAPPERS = [
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'bash-stdout',
  'bash-stderr',
  'bash-exit-code',
  'command-message',
  'command-contents',
  'skill-format',
  'system-reminder',
  'system_reminder',
  'task-notification',
  'agent-message',
  'teammate-message',
  'cross-session-message',
  'coordinator-relay',
  'remote-review',
  'slack-ping',
  'slack-tag-message',
  'fetched-web-content',
  'untrusted-widget-state',
  'function_results',
  'tool_use_error',
  'sandbox_violations',
  'persisted-output',
  'total_tokens',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'new-diagnostics',
  'user-prompt-submit-hook',
  'session-start-hook',
  'post-tool-use-hook',
  'fork-boilerplate',
  'mcp-resource',
  'mcp-polling-update',
  'agent-notification',
  'bash-notification',
  'system-notification',
  'background-task-output',
  'background-remote-session-status',
  'session-memory',
  'autonomous-loop',
  'autonomous-loop-dynamic',
  'ultraplan',
]

const NAMES = WRAPPERS.join('|')
/** Names that humans also use, in feeds or SVG. Only the client's form of them is removed. */
const MARKED = 'channel(?= source=)|tick(?=>)'
const OPENING = new RegExp(`<(${NAMES}|${MARKED})(?=[\\s>/])[^<>]*>`, 'g')
const ANY_OPENING = new RegExp(`<(${NAMES}|${MARKED}|command-(?:name|args))[\\s>/]`)

/**
 * Removes the client's elements from a text. An element without closing tag extends to the end if it begins
 * the text or a line; anywhere else it is treated as part of the human's text. `except`: elements to keep.
 */
export function stripWrappers(text: string, except?: string): string {
  if (!ANY_OPENING.test(text)) return text
  const unclosed = new Set<string>()
  let rest = ''
  let position = 0
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    const name = match[1]!
    if (name === except) continue
    if (match[0].endsWith('/>')) {
      rest += text.slice(position, match.index)
      position = OPENING.lastIndex
      continue
    }
    const closing = `</${name}>`
    const close = unclosed.has(name) ? -1 : closingOf(text, name, closing, OPENING.lastIndex)
    if (close < 0) {
      unclosed.add(name)
      if (text.slice(0, match.index).trim() !== '' && text[match.index - 1] !== '\n') continue
      return rest + text.slice(position, match.index)
    }
    rest += text.slice(position, match.index)
    position = close + closing.length
    OPENING.lastIndex = position
  }
  return rest + text.slice(position)
}

/** The end of the element that was opened before `from`. Elements of the same name may be nested. */
function closingOf(text: string, name: string, closing: string, from: number): number {
  const opening = `<${name}>`
  let close = text.indexOf(closing, from)
  let search = from
  while (close >= 0) {
    const inner = text.slice(search, close).indexOf(opening)
    if (inner < 0) return close
    const next = text.indexOf(closing, close + closing.length)
    if (next < 0) return close
    search += inner + opening.length
    close = next
  }
  return close
}

/** Removes the first element of a name from a text. With `widest` it extends to the last closing tag. */
export function takeElement(
  text: string,
  name: string,
  reach: 'first' | 'widest' = 'first',
): { content: string; rest: string } | undefined {
  const opening = `<${name}>`
  const closing = `</${name}>`
  const open = text.indexOf(opening)
  if (open < 0) return undefined
  const from = open + opening.length
  const close = reach === 'first' ? text.indexOf(closing, from) : text.lastIndexOf(closing)
  if (close < from) return undefined
  return { content: text.slice(from, close), rest: text.slice(0, open) + text.slice(close + closing.length) }
}

/** The name of the first wrapper in a text, for the accounting. */
export const firstWrapper = (text: string): string | undefined => ANY_OPENING.exec(text)?.[1]
