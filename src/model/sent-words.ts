import { asArray, asObject, asText, type JsonObject } from './json.ts'
import { shellWords } from './shell-words.ts'

/** What a call may have given to another agent. */
export interface SentWords {
  text: string
  /** The agent that it is for, where the call says so. */
  to?: string
}

/** Tools that hand a text to another session. */
const SENDERS = /^(?:sessions_spawn|sessions_send|message|SendMessage|agent_send|agents_send)$/
const TEXTS = ['message', 'task', 'text', 'content', 'prompt', 'body'] as const
/** Where the key of a session is given: it names the agent. */
const KEYS = ['sessionKey', 'session', 'key'] as const
/** Programs that ask an agent, where a command runs them. */
const PROGRAMS = /(?:^|[\s;&|(`"'/])(?:openclaw|clawdbot|moltbot|moldbot|claude|codex|tmux)(?:\.cmd|\.exe)?\s/
/** Shorter words are said by anybody at any time, unless it is told to whom. */
const SHORTEST = 12
const MOST_WORDS = 200
const MOST_TEXT = 100_000

/** Texts among the arguments of a tool call that another agent may have got as its prompt. */
export function sentWords(name: string, input: unknown): SentWords[] {
  const given = typeof input === 'string' ? parsed(input) : asObject(input)
  if (!given) return []
  if (SENDERS.test(name)) return ofSender(given)
  const command = asText(given.command) ?? asText(given.cmd) ?? asText(given.script)
  const parts = command === undefined ? (asArray(given.command) ?? asArray(given.args)) : undefined
  if (command !== undefined) return PROGRAMS.test(`${command} `) ? ofWords(shellWords(command)) : []
  const words = (parts ?? []).filter((part): part is string => typeof part === 'string')
  return PROGRAMS.test(`${words.join(' ')} `) ? words.flatMap((word) => inner(word, words)) : []
}

/** A shell that is given a command as one word. */
const inner = (word: string, words: readonly string[]): SentWords[] =>
  PROGRAMS.test(`${word} `) && /\s/.test(word) ? ofWords(shellWords(word)) : ofWords([word], words)

function ofSender(given: JsonObject): SentWords[] {
  const to =
    asText(given.agentId) ??
    asText(given.agent) ??
    KEYS.map((key) => agentOf(asText(given[key]))).find(Boolean)
  return TEXTS.flatMap((key) => {
    const text = asText(given[key])
    return text === undefined ? [] : worth({ text, to })
  })
}

const agentOf = (key: string | undefined): string | undefined => /^agent:([^:]+)/.exec(key ?? '')?.[1]

/** Names of programs and of what they are to do. A few words of a prompt stand behind an option. */
const isPart = (word: string, before = ''): boolean =>
  !/\s/.test(word) &&
  !word.startsWith('-') &&
  (word.includes('/') || (word.length < SHORTEST && !before.startsWith('-')))

function ofWords(words: readonly string[], all: readonly string[] = words): SentWords[] {
  const to = optionOf(all, '--agent') ?? agentOf(optionOf(all, '--session-key'))
  return words.slice(0, MOST_WORDS).flatMap((word, index) => {
    if (isPart(word, words[index - 1])) return []
    const text = word.startsWith('-') ? (/^--?[\w-]+=([\s\S]+)$/.exec(word)?.[1] ?? '') : word
    const held = text.startsWith('{') ? parsed(text) : undefined
    return held ? ofSender(held) : worth({ text, to: text === to ? undefined : to })
  })
}

/** Behind the name of an option, or joined to it. */
function optionOf(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(option)
  return (
    words[at < 0 ? words.length : at + 1] ??
    words.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1)
  )
}

function worth({ text, to }: SentWords): SentWords[] {
  const said = text.trim()
  if (said === '' || said.length > MOST_TEXT || (to === undefined && said.length < SHORTEST)) return []
  return [{ text: said, ...(to === undefined ? {} : { to }) }]
}

function parsed(text: string): JsonObject | undefined {
  if (text.length > MOST_TEXT) return undefined
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
