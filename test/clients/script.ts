/** A prompt that one of the clients gets. `in`: the surface that it is typed into. */
export interface ScriptedPrompt {
  text: string
  in: 'arguments' | 'terminal'
}

/** What the agent gives its subagent to do. */
export const TASK = 'COUNT-CUPS: count the cups.'
/** What the agent asks the server of Scrollback. */
const QUERY = 'tea'
const SERVER_TOOL = 'scrollback__search'

const USE_TOOL = 'USE-TOOL: which tea is on the list?'
const FAIL_TOOL = 'FAIL-TOOL: and which coffee?'
const CALL_SERVER = 'CALL-SERVER: what did we say about tea?'
const START_AGENT = 'START-AGENT: let somebody count the cups.'
const argument = (text: string): ScriptedPrompt => ({ text, in: 'arguments' })

/** The prompts in arguments, one after another in the same session. */
export const PROMPTS: readonly ScriptedPrompt[] = [USE_TOOL, FAIL_TOOL, CALL_SERVER, 'Good night.'].map(
  argument,
)
/** The prompts of a client that has no MCP servers. */
export const TOOL_PROMPTS: readonly ScriptedPrompt[] = PROMPTS.filter(({ text }) => text !== CALL_SERVER)
export const AGENT_PROMPT = argument(START_AGENT)
/** The prompt of a fork of that session. */
export const FORKED = argument('Or is there cocoa?')
/** What is typed into a terminal, in a session of its own. */
export const TYPED: ScriptedPrompt = { text: 'Evening.', in: 'terminal' }

/** The summary of a session that is compacted. It is a mark in a transcript, and its tokens count. */
export const SUMMARY = 'They spoke of tea.'

/** A tool call of the model, and how Scrollback shows what it was made for. */
export interface ScriptedCall {
  input: object
  target: string
}

/** The call that a text asks for, if the client offers the tool. Undefined for a text that asks for none. */
export function callFor(
  text: string,
  tools: readonly string[],
): (ScriptedCall & { name: string }) | undefined {
  const find = (pattern: RegExp): string | undefined => tools.find((name) => pattern.test(name))
  const made = (name: string | undefined, call: ScriptedCall) => name && { name, ...call }
  const runner = find(RUNNER)
  const running = (command: string) => made(runner, { input: argumentsFor(runner, command), target: command })
  if (text.includes('USE-TOOL')) return running('echo tea') || undefined
  if (text.includes('FAIL-TOOL')) return running('exit 3') || undefined
  if (text.includes('CALL-SERVER')) {
    const args = { query: QUERY }
    // OpenClaw offers one tool that calls all others.
    const through = { input: { id: SERVER_TOOL, args }, target: QUERY }
    const direct = made(find(/scrollback[\w-]*search$/), { input: args, target: QUERY })
    return direct || made(find(/^tool_call$/), through) || undefined
  }
  if (text.includes('START-AGENT')) {
    const given = { description: 'Count cups', prompt: TASK, subagent_type: 'general-purpose' }
    const target = 'general-purpose: Count cups'
    return (
      made(find(/^(?:Agent|Task)$/), { input: { ...given, run_in_background: false }, target }) || undefined
    )
  }
  return undefined
}

/** What the tool of a platform that runs commands takes. */
function argumentsFor(runner: string | undefined, command: string): object {
  if (runner === 'exec_command') return { cmd: command }
  return runner === 'run_commands' ? { commands: [command] } : { command }
}

/** The tools with which the platforms run a command. A request without one is not of the conversation. */
export const RUNNER = /^(?:Bash|exec|bash|exec_command|run_shell_command|run_commands)$/
