import { wordSet } from '../iteration.ts'
import { asArray, asObject, asText, asTrimmed, firstOf, type JsonObject, parsedJson } from '../json.ts'
import { isEditing } from '../tool-kind.ts'
import { TARGET_SHOWN, targetOfFiles } from '../written-files.ts'
import { shellWords } from './shell-words.ts'

/** The paths of files. A tool that has one works on it, whatever else it is given. */
const FILES = ['file_path', 'filePath', 'notebook_path', 'path']
/** Argument names, the most informative first. */
const TELLING = [
  ...FILES,
  ...wordSet(
    `command commands cmd pattern query url description skill subagent_type task prompt action message
    element text name id taskId subject server uri file files target to paths include`,
  ),
]
const RANKS: ReadonlyMap<string, number> = new Map(TELLING.map((key, rank) => [key, rank]))
const PATHS = [...FILES, 'file', 'workdir', 'cwd', 'directory', 'dir']
const RECEIVERS = ['sessionKey', 'label', 'agentId', 'target', 'to', 'recipient', 'channelId', 'chatId']
/** Longer than what is shown, because redaction needs the text first: half a secret is not recognized. */
const LIMIT = 4000
/** Arguments with content rather than a target. Their beginning is enough. */
const BODIES: ReadonlySet<string> = new Set(['task', 'prompt', 'message', 'text', 'content', 'body'])
/** How much of such an argument is shown. */
const BODY_SHOWN = 80

/** The target of a tool call. */
interface Target {
  /** At most 4,000 characters, with their lines: only these tell which columns of a table are secrets. */
  text: string
  /** How many characters are shown after redaction. */
  shown: number
}

/** Selects the one argument of a tool call that is shown. Undefined if none is informative. */
export function toolTarget(name: string, input: unknown): Target | undefined {
  const given = argumentsOf(input)
  if (!given)
    return typeof input === 'string' && input.trim() !== ''
      ? { text: beginningOf(input), shown: TARGET_SHOWN }
      : undefined
  const text = special(name, given)
  // A search for a file must find each file of a patch.
  const shown = name === 'apply_patch' ? LIMIT : TARGET_SHOWN
  const found = text === undefined ? mostInformative(given) : { text, shown }
  return found && { ...found, text: beginningOf(found.text) }
}

/**
 * Absolute and home-relative paths in the arguments: files, folders, and directories that a command changes
 * to.
 */
export function toolPaths(input: unknown): string[] {
  const given = argumentsOf(input)
  if (!given) return []
  const paths: string[] = []
  for (const key of PATHS) {
    const path = asText(given[key])
    if (path && isPath(path)) paths.push(path)
  }
  const command = asText(given.command) ?? asText(given.cmd)
  if (command && command.length < 20_000)
    for (const match of command.matchAll(/(?:^|[\s"'=])((?:~|\/[\w.@-]+|[A-Za-z]:\\)[^\s"'`;|&<>()$*]*)/g)) {
      const path = match[1]!
      if (isPath(path) && !/^\/(?:dev|proc|sys|tmp|etc|bin|usr|opt|var)(?:\/|$)/.test(path)) paths.push(path)
    }
  return paths
}

const isPath = (text: string): boolean =>
  text.length < 1000 && /^(?:~?\/.|[A-Za-z]:\\)/.test(text) && !text.startsWith('//')

const argumentsOf = (input: unknown): JsonObject | undefined =>
  asObject(typeof input === 'string' ? parsedJson(input) : input)

function special(name: string, given: JsonObject): string | undefined {
  switch (name) {
    case 'Grep':
    case 'Glob': {
      const where = asText(given.path)
      const what = asText(given.pattern)
      return what && where ? `${what} in ${where}` : what
    }
    case 'TodoWrite': {
      const todos = asArray(given.todos) ?? []
      const current = todos.map(asObject).find((todo) => todo?.status === 'in_progress')
      return asText(current?.content) ?? `${todos.length} items`
    }
    case 'Task':
    case 'Agent': {
      const type = asText(given.subagent_type)
      const what = asText(given.description) ?? asText(given.prompt)
      return type && what ? `${type}: ${what}` : what
    }
    case 'sessions_spawn':
      return joined(' ', given.agentId, given.label)
    case 'sessions_send':
    case 'SendMessage':
    case 'message':
      return (
        firstText(given, FILES) ??
        joined(
          ' ',
          asText(given.action),
          asText(given.channel),
          firstText(given, RECEIVERS),
          asText(given.summary),
        )
      )
    case 'ToolSearch':
    case 'WebSearch':
      return asText(given.query)
    case 'apply_patch':
      return patchedFiles(asText(given.input) ?? asText(given.patch) ?? asText(given.patchText) ?? '')
    // Tools that ask the human.
    default:
      return asText(asObject(asArray(given.questions)?.[0])?.question)
  }
}

/** The files that a patch names, each once. */
function patchedFiles(patch: string): string | undefined {
  const names = patch.matchAll(/^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.*\S)/gm)
  return targetOfFiles(new Set([...names].map(([, name]) => name!))) || undefined
}

function joined(by: string, ...parts: readonly unknown[]): string | undefined {
  const texts = parts.filter((part) => typeof part === 'string' && part.trim() !== '')
  return texts.length > 0 ? texts.join(by) : undefined
}

function firstText(given: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = given[key]
    if (typeof value === 'number') return String(value)
    const text = asText(value)
    if (text) return text
  }
  return undefined
}

/** The arguments are few, so their names are looked up among those that are known, and not the reverse. */
function mostInformative(given: JsonObject): Target | undefined {
  let best: Target | undefined
  let bestRank = Number.POSITIVE_INFINITY
  for (const [key, value] of Object.entries(given)) {
    const rank = RANKS.get(key) ?? TELLING.length
    if (rank >= bestRank) continue
    const target = targetIn(key, value)
    if (!target) continue
    best = target
    bestRank = rank
  }
  return best
}

function targetIn(key: string, value: unknown): Target | undefined {
  if (typeof value === 'string' && value.trim() !== '')
    return { text: value, shown: BODIES.has(key) ? BODY_SHOWN : TARGET_SHOWN }
  // Numbers and lists are only informative under a name that is known.
  if (!RANKS.has(key)) return undefined
  if (typeof value === 'number') return { text: String(value), shown: TARGET_SHOWN }
  const list = asArray(value)?.map(elementOf)
  if (list?.every((each) => each !== undefined) && list.length > 0)
    return { text: list.join(key === 'commands' ? '; ' : ' '), shown: TARGET_SHOWN }
  return undefined
}

/** A text in a list, a file, or a command with its arguments. */
function elementOf(value: unknown): string | undefined {
  const given = asObject(value)
  if (!given) return asText(value)
  const command = asText(given.command)
  const words = (asArray(given.args) ?? []).flatMap((each) => asText(each) ?? [])
  return firstText(given, FILES) ?? (command && [command, ...words].join(' '))
}

/** Where a long text is cut, no word is divided, because half a secret is not recognized. */
function beginningOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= LIMIT) return trimmed
  const beginning = trimmed.slice(0, LIMIT - 1)
  return `${/\s/.test(beginning) ? beginning.slice(0, lastSpace(beginning)) : beginning}…`
}

function lastSpace(text: string): number {
  let at = text.length - 1
  while (!/\s/.test(text[at]!)) at--
  return at
}

/** A target as it is shown, on one line, once it is redacted. */
export const shownTarget = (redacted: string): string => redacted.replace(/\s+/g, ' ').trim()

/** Whether the path is all that is read of the arguments: a tool writes to a file, and they name it. */
export function tellOnlyPath(name: string, input: unknown): boolean {
  const given = asObject(input)
  const writes = name !== 'apply_patch' && isEditing(name)
  return writes && FILES.some((key) => asTrimmed(given?.[key]) !== undefined)
}

/** Platform-specific behavior of the fold. */
export interface FoldTraits {
  /** Collect the paths that tools change, because nothing else identifies the project. */
  touched: boolean
  /** Remember the latest replies, because copies for a channel may repeat them. */
  mirrors: boolean
  /** Matches a command that prompts an agent; see `askingCommand`. */
  asks: RegExp
}

/** Other programs that prompt agents or run them. */
const OTHERS = ['codex', 'tmux']

/** Matches a shell command that runs one of these programs. */
export const askingCommand = (programs: readonly string[]): RegExp =>
  new RegExp(`(?:^|[\\s;&|(\`"'/])(?:${[...programs, ...OTHERS].join('|')})(?:\\.cmd|\\.exe)?\\s`)

export const PLAIN_TRAITS: FoldTraits = { touched: false, mirrors: true, asks: askingCommand([]) }

/** A text that a tool call may have sent to another agent. */
interface SentWords {
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
  const command = firstOf(asText, given, 'command', 'cmd', 'script')
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

const parsed = (text: string): JsonObject | undefined =>
  text.length > MOST_TEXT ? undefined : asObject(parsedJson(text))
