import { asArray, asObject, asText, type JsonObject } from '../json.ts'
import { shellWords } from './shell-words.ts'

/** A text that a tool call may have sent to another agent. */
export interface SentWords {
  text: string
  /** The receiving agent, if the call names it. */
  to?: string
}

/** Tools that send a text to another session. */
const SENDERS = /^(?:sessions_spawn|sessions_send|message|SendMessage|agent_send|agents_send)$/
const TEXTS = ['message', 'task', 'text', 'content', 'prompt', 'body'] as const
/** Arguments with a session key, which contains the agent's name. */
const KEYS = ['sessionKey', 'session', 'key'] as const
/** Shorter texts are too common to match without a known receiver. */
const SHORTEST = 12
const MOST_WORDS = 200
const MOST_TEXT = 100_000

/**
 * The texts in the arguments of a tool call that another agent may have received as a prompt. `asks`: see
 * `FoldTraits`.
 */
export function sentWords(name: string, input: unknown, asks: RegExp): SentWords[] {
  const given = typeof input === 'string' ? parsed(input) : asObject(input)
  if (!given) return []
  if (SENDERS.test(name)) return ofSender(given)
  const command = asText(given.command) ?? asText(given.cmd) ?? asText(given.script)
  const parts = command === undefined ? (asArray(given.command) ?? asArray(given.args)) : undefined
  if (command !== undefined) return asks.test(`${command} `) ? ofWords(shellWords(command)) : []
  const words = (parts ?? []).filter((part): part is string => typeof part === 'string')
  return asks.test(`${words.join(' ')} `) ? words.flatMap((word) => inner(word, words, asks)) : []
}

/** Handles a shell that receives its command as one word. */
const inner = (word: string, words: readonly string[], asks: RegExp): SentWords[] =>
  asks.test(`${word} `) && /\s/.test(word) ? ofWords(shellWords(word)) : ofWords([word], words)

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

/** Whether a word is the name of a program or a subcommand. Short prompts only follow an option. */
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

/** The value of an option, as the next word or after `=`. */
function optionOf(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(option)
  return (
    words[at < 0 ? words.length : at + 1] ??
    words.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1)
  )
}

function worth({ text, to }: SentWords): SentWords[] {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > MOST_TEXT || (to === undefined && trimmed.length < SHORTEST))
    return []
  return [{ text: trimmed, ...(to === undefined ? {} : { to }) }]
}

function parsed(text: string): JsonObject | undefined {
  if (text.length > MOST_TEXT) return undefined
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
