/** Texts that the client puts before prompts, as messages with the role of a user. */
const ELEMENTS =
  'environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_action|skill|skills_instructions|' +
  'subagent_notification|permissions instructions|collaboration_mode|personality_spec|model_switch|' +
  'hook_prompt|goal_context'
const CONTEXT = new RegExp(`^\\s*(?:# AGENTS\\.md instructions\\b|<(?:${ELEMENTS})\\b)`)
const SHELL = /^\s*<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>/

/**
 * What a message with the role of a user is, if no person wrote it as a prompt: `context`, or the command
 * that a person typed after `!`.
 */
export function injected(text: string): string | undefined {
  const command = SHELL.exec(text)?.[1]
  if (command !== undefined) return `!${command}`
  return CONTEXT.test(text) ? 'context' : undefined
}

const IDE = /^# Context from my IDE setup:\s*\n/
const REQUEST = '## My request for Codex:'

/** The words of a person without what an editor puts before them. */
export function typedWords(text: string): string {
  const at = IDE.test(text) ? text.lastIndexOf(REQUEST) : -1
  return at < 0 ? text : text.slice(at + REQUEST.length).trim()
}

/** The directory that the oldest versions only state in the context of a prompt. */
export const directoryIn = (text: string): string | undefined =>
  /<cwd>(.+)<\/cwd>|^Current working directory: (.+)$/m.exec(text)?.slice(1).find(Boolean)
