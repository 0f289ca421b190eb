import { basename, dirname, join } from 'node:path'
import { directoryOrHome, fileInside, isFolder, NO_LINKS } from '../../io/directories.ts'
import { companionText } from '../../io/source.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { smallest } from '../../model/iteration.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, stemOf, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
import { copilotIdentity } from './identity.ts'

/**
 * What `workspace.yaml` calls its session: a name that a person or the model chose, or the first prompt. The
 * value is a scalar in any of YAML's forms, so no library is needed for it. The other fields are passed over.
 *
 * @example
 * nameIn("id: a\nname: 'Oven: night'\nuser_named: true\n") // 'Oven: night'
 */
export function nameIn(yaml: string): string | undefined {
  const lines = yaml.split(/\r?\n/)
  const start = lines.findIndex((line) => /^name:(?:\s|$)/.test(line))
  if (start < 0) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^\S/.test(line))
  const [first = '', ...others] = [
    lines[start]!.slice('name:'.length).trim(),
    ...rest.slice(0, end < 0 ? undefined : end),
  ]
  return scalarIn(first, others) || undefined
}

/** The text of a scalar: what follows the colon, and the indented lines below it. */
function scalarIn(first: string, others: readonly string[]): string {
  const block = /^([|>])[+-]?\d?[+-]?\s*$/.exec(first)?.[1]
  if (block !== undefined) {
    const indent = smallest(others.flatMap((line) => (line.trim() === '' ? [] : line.search(/\S/))))
    const lines = others.map((line) => line.slice(indent))
    return (block === '|' ? lines.join('\n') : folded(lines)).trim()
  }
  const text = folded([first, ...others].map((line) => line.trim())).trim()
  if (text.startsWith("'")) return text.slice(1, text.lastIndexOf("'")).replaceAll("''", "'")
  if (text.startsWith('"')) return unescaped(text.slice(1, text.lastIndexOf('"')))
  return text === 'null' || text === '~' ? '' : text.replace(/\s#.*$/, '')
}

/** Line breaks are spaces, and an empty line is a line break. */
const folded = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n(\n*)/g, (_, empty: string) => empty || ' ')
    .replaceAll('\\ ', '')

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', ' ': ' ' }

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (_, byte?: string, unit?: string, point?: string, letter = '') => {
      const code = byte ?? unit ?? point
      if (code === undefined) return ESCAPES[letter] ?? letter
      const value = Number.parseInt(code, 16)
      return value > 0x10ffff ? '\uFFFD' : String.fromCodePoint(value)
    },
  )

const { id: platform, defaultAgent: agent, folder } = copilotIdentity

/** The home directories of Copilot CLI, including those that do not exist. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map((path) => [directoryOrHome(path, folder, hasSessions), '--copilot-dir'] as const),
    )
  const variable = variables.COPILOT_HOME?.trim()
  return rootsAt(
    platform,
    variable ? [[withHome(variable, home), 'COPILOT_HOME']] : [[join(home, folder), 'default']],
  )
}

const hasSessions = (path: string): boolean => isFolder(join(path, SESSIONS))

const NEVER: Reasons = [
  [/^config\.json/, 'may contain keys of your account'],
  [/^(?:settings|mcp-config)\.json/, 'may contain keys'],
  [/^mcp-oauth-config$/, 'keys of MCP servers'],
  [/^logs$/, 'logs that may contain tokens'],
  [/^ide$/, 'locks with tokens of editors'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

const SESSIONS = 'session-state'
const WORKSPACE = 'workspace.yaml'
/** Early versions named the file after the session: `session-state/<id>.jsonl`. */
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The allow-list: the events of each session. Links are not followed. */
export function discover(from: Root, environment: Environment): Found {
  const { path: root } = from
  const { found, list, ...finder } = finderIn(from, environment)
  const sessions = join(root, SESSIONS)
  for (const { name } of list(sessions)) {
    const path = join(sessions, name)
    if (isFolder(path)) {
      for (const each of list(path)) if (stemOf(each.name) === 'events') add(path, each.name, name)
    } else if (ID.test(stemOf(name) ?? '')) add(sessions, name, stemOf(name)!)
  }
  const early = join(root, 'history-session-state')
  for (const { name } of list(early))
    found.unread.push({
      path: join(early, name),
      reason: 'the form of the first versions, which is not read',
    })
  return found

  function add(within: string, name: string, sessionId: string): void {
    const besideMs = fileInside(within, join(within, WORKSPACE), NO_LINKS)?.mtimeMs
    finder.add(within, name, { agent, sessionId, besideMs })
  }
}

const LARGEST = 1024 * 1024

/** The name of a session is in a file next to its events. */
export function describe(artifact: Artifact): Artifact {
  const within = dirname(artifact.path)
  const path = join(within, WORKSPACE)
  if (basename(within) === SESSIONS || !fileInside(within, path, NO_LINKS)) return artifact
  const name = nameIn(companionText(path, LARGEST))
  // It ranks above the first prompt, whoever chose it.
  return name === undefined ? artifact : { ...artifact, titleHint: name, titleHintByHand: true }
}

/** Events outside of the roots. */
export const given: GivenFile = {
  isOwn: ({ type }) => /^(?:session|user|assistant|tool)\.[a-z_]+$/.test(String(type)),
  facts: () => ({ agent, state: 'live' }),
}
