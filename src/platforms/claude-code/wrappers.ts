/** Elements the client writes into user turns. Whatever they hold, the human did not type it. */
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
  'channel',
  'tick',
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
  'ultraplan',
]

const NAMES = WRAPPERS.join('|')
const OPENING = new RegExp(`<(${NAMES})(?=[\\s>/])[^<>]*>`, 'g')
const ANY_OPENING = new RegExp(`<(?:${NAMES})[\\s>/]`)

/**
 * Removes the client's elements wherever they stand and keeps the rest. One that is never closed takes everything
 * behind it along when it opens the text or a line; anywhere else it is taken for something the human wrote about.
 */
export function stripWrappers(text: string): string {
  if (!ANY_OPENING.test(text)) return text
  let kept = ''
  let position = 0
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    if (match[0].endsWith('/>')) {
      kept += text.slice(position, match.index)
      position = OPENING.lastIndex
      continue
    }
    const closing = `</${match[1]}>`
    const close = closingOf(text, match[1]!, closing, OPENING.lastIndex)
    if (close < 0) {
      if (text.slice(0, match.index).trim() !== '' && text[match.index - 1] !== '\n') continue
      return kept + text.slice(position, match.index)
    }
    kept += text.slice(position, match.index)
    position = close + closing.length
    OPENING.lastIndex = position
  }
  return kept + text.slice(position)
}

/** Where the element that was opened before `from` ends; elements of the same name may stand inside it. */
function closingOf(text: string, name: string, closing: string, from: number): number {
  let close = text.indexOf(closing, from)
  let search = from
  while (close >= 0) {
    const inner = text.indexOf(`<${name}>`, search)
    if (inner < 0 || inner > close) return close
    const next = text.indexOf(closing, close + closing.length)
    if (next < 0) return close
    search = inner + name.length + 2
    close = next
  }
  return close
}

/** The name of the first wrapper in a text, for the accounting. */
export const firstWrapper = (text: string): string | undefined => /<([a-z][\w-]*)/.exec(text)?.[1]
