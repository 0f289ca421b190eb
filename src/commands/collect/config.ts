import { parse, TomlError } from 'smol-toml'
import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import { readSmall } from '../../io/source.ts'
import { redactSettings } from '../../redact/settings.ts'
import { COMPRESSIONS } from '../../sinks/http-compression.ts'

const text = () => z.optional(z.string().check(z.minLength(1, 'must not be empty')))
const size = () => z.optional(z.union([z.string(), z.number().check(z.positive())]))
const atLeastOne = () => z.optional(z.number().check(z.int('must be a whole number'), z.gte(1)))

const destination = z.strictObject({
  url: z.string().check(z.minLength(1, 'must not be empty')),
  history: text(),
  maxRecords: atLeastOne(),
  maxBytes: size(),
  recordLimit: size(),
  normalized: z.optional(z.boolean()),
  skip: z.optional(z.array(z.string())),
  tokenEnv: text(),
  tokenFile: text(),
  compression: z.optional(z.enum(COMPRESSIONS)),
})

/** The schema of a configuration file. */
const configuration = z.strictObject({
  device: text(),
  state: text(),
  maxLag: text(),
  redact: z.optional(redactSettings),
  destinations: z.optional(z.array(destination)),
})

export type Configuration = z.output<typeof configuration>

const LIMIT = 1024 * 1024

/** Reads a configuration, TOML or JSON by its file name. An error names the line. */
export function readConfiguration(path: string): Configuration {
  const content = contentOf(path)
  const value = path.endsWith('.json') ? fromJson(content, path) : fromToml(content, path)
  const checked = configuration.safeParse(value)
  if (checked.success) return checked.data
  const problems = checked.error.issues.map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? (issue as { keys: string[] }).keys : []
    const names = [...issue.path.map(String), ...unknown.slice(0, 1)]
    const what = unknown.length > 0 ? 'there is no such setting' : issue.message
    return `${path}:${lineOf(content, names)}: ${names.join('.')}: ${what}`
  })
  throw bad(problems.join('\n'))
}

const bad = (message: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    message,
    'docs/guides/collecting.md names all settings; "scrollback collect --help" those that are flags too.',
  )

function contentOf(path: string): string {
  try {
    const content = readSmall(path, LIMIT)
    if (content) return content.toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw bad(`--config ${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
  throw bad(`--config ${path}: larger than any configuration`)
}

function fromToml(content: string, path: string): unknown {
  try {
    return parse(content)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [what] = error.message.split('\n')
    throw bad(`${path}:${error.line}: ${what}`)
  }
}

function fromJson(content: string, path: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    const [, at] = /at position (\d+)/.exec((error as Error).message) ?? []
    const line =
      at === undefined ? content.split('\n').length : content.slice(0, Number(at)).split('\n').length
    throw bad(`${path}:${line}: ${(error as Error).message}`)
  }
}

/** The position of a setting: finds each name of its path in turn. */
function lineOf(content: string, names: readonly string[]): number {
  let at = 0
  for (const name of names) {
    const index = /^\d+$/.test(name) ? Number(name) : undefined
    const mark =
      index === undefined ? new RegExp(`(?:^|[\\s"'{.])${escaped(name)}["']?\\s*[=:\\]]`, 'm') : undefined
    const found = mark?.exec(content.slice(at))
    if (found) at += found.index + Math.max(0, found[0].search(/\S/))
    else if (index !== undefined) at = nthItem(content, at, index)
  }
  return content.slice(0, at).split('\n').length
}

/** The nth table of a list in TOML, or the nth object of one in JSON. */
function nthItem(content: string, from: number, index: number): number {
  const heads = [...content.slice(from).matchAll(/\[\[|\{/g)]
  return from + (heads[index]?.index ?? 0)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
