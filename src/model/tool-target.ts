import { asArray, asObject, asText, type JsonObject } from './json.ts'

/** Arguments in the order in which they tell most about a call. */
const TELLING = [
  'file_path',
  'filePath',
  'notebook_path',
  'path',
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
const PATHS = ['file_path', 'filePath', 'notebook_path', 'path', 'file', 'workdir', 'cwd', 'directory', 'dir']
/** Held here; shown less, but only once secrets are out: half a secret would not be found. */
const LIMIT = 4000

/** The one argument of a call that matters, on one line of at most 4,000 characters; undefined when none tells. */
export function toolTarget(name: string, input: unknown): string | undefined {
  const given = argumentsOf(input)
  if (!given) return typeof input === 'string' && input.trim() !== '' ? oneLine(input) : undefined
  const found = special(name, given) ?? firstTelling(given)
  return found === undefined ? undefined : oneLine(found)
}

/** Paths among the arguments: files, folders, and where a command changes to. Only absolute ones or those of home. */
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

function firstTelling(given: JsonObject): string | undefined {
  for (const key of TELLING) {
    const value = given[key]
    if (typeof value === 'string' && value.trim() !== '') return value
    if (typeof value === 'number') return String(value)
    const list = asArray(value)
    if (list?.every((each) => typeof each === 'string') && list.length > 0) return list.join(' ')
  }
  return Object.values(given).find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  )
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * LIMIT)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > LIMIT ? `${line.slice(0, LIMIT - 1)}…` : line
}
