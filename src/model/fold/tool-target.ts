import { asArray, asObject, asText, type JsonObject } from '../json.ts'

/** The paths of files. A tool that has one works on it, whatever else it is given. */
const FILES = ['file_path', 'filePath', 'notebook_path', 'path']
/** Argument names, the most informative first. */
const TELLING = [
  ...FILES,
  'command',
  'cmd',
  'pattern',
  'query',
  'url',
  'description',
  'skill',
  'subagent_type',
  'task',
  'prompt',
  'action',
  'message',
  'text',
  'name',
  'id',
  'taskId',
  'subject',
  'server',
  'uri',
  'file',
  'target',
  'to',
]
const RANKS: ReadonlyMap<string, number> = new Map(TELLING.map((key, rank) => [key, rank]))
const PATHS = [...FILES, 'file', 'workdir', 'cwd', 'directory', 'dir']
const RECEIVERS = ['sessionKey', 'label', 'agentId', 'target', 'to', 'recipient', 'channelId', 'chatId']
/** Longer than what is shown, because redaction needs the text first: half a secret is not recognized. */
const LIMIT = 4000
/** Arguments with content rather than a target. Their beginning is enough. */
const BODIES: ReadonlySet<string> = new Set(['task', 'prompt', 'message', 'text', 'content', 'body'])
/** How much of such an argument is shown, and of any argument not listed. */
const BODY_SHOWN = 80
const SHOWN = 300

/** The target of a tool call. */
export interface Target {
  /** One line of at most 4,000 characters. */
  text: string
  /** How many characters are shown after redaction. */
  shown: number
}

/** Selects the one argument of a tool call that is shown. Undefined if none is informative. */
export function toolTarget(name: string, input: unknown): Target | undefined {
  const given = argumentsOf(input)
  if (!given)
    return typeof input === 'string' && input.trim() !== ''
      ? { text: oneLine(input), shown: SHOWN }
      : undefined
  const text = special(name, given)
  const found = text === undefined ? mostInformative(given) : { text, shown: SHOWN }
  return found && { ...found, text: oneLine(found.text) }
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

function argumentsOf(input: unknown): JsonObject | undefined {
  if (typeof input !== 'string') return asObject(input)
  try {
    return asObject(JSON.parse(input))
  } catch {
    return undefined
  }
}

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
    case 'AskUserQuestion':
      return asText(asObject(asArray(given.questions)?.[0])?.question)
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
      return /\*\*\* (?:Update|Add|Delete) File: (.+)/.exec(
        asText(given.input) ?? asText(given.patch) ?? '',
      )?.[1]
    default:
      return undefined
  }
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
    return { text: value, shown: BODIES.has(key) ? BODY_SHOWN : SHOWN }
  // Numbers and lists are only informative under a name that is known.
  if (!RANKS.has(key)) return undefined
  if (typeof value === 'number') return { text: String(value), shown: SHOWN }
  const list = asArray(value)
  if (list?.every((each) => typeof each === 'string') && list.length > 0)
    return { text: list.join(' '), shown: SHOWN }
  return undefined
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * LIMIT)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > LIMIT ? `${line.slice(0, LIMIT - 1)}…` : line
}
