import * as z from 'zod/mini'
import { shellWord } from '../model/shell-word.ts'
import { identities } from '../platforms/identities.ts'
import { withinOneSlip } from '../project/words.ts'
import type { Suggest, SuggestedWord } from '../render/terminal.ts'
import { dirFlags } from './dir-flags.ts'

/** Describes a field of a command's input to every surface. */
interface FieldNote {
  description: string
  /** The placeholder of the value in help. */
  placeholder?: string
  /** A positional argument. */
  positional?: boolean
  /** The values are free text, so one that begins with a minus is not a flag. */
  words?: boolean
  /** An older form of something else. Help and completions leave it out. */
  hidden?: true
  /** The value is a path, relative to the current directory. */
  path?: 'dir' | 'file'
  /** The value is a time. A day means its first moment or its last. */
  time?: 'since' | 'until'
  /** Command lines that we print or write for the same machine repeat this flag. */
  repeated?: boolean
}

/** A field with two flags: `--name` and `--no-name`. */
interface EitherNote extends FieldNote {
  /** The description of `--no-name`. */
  off: string
}

type AnyNote = FieldNote & Partial<EitherNote>

const notes = z.registry<AnyNote>()

const noted = <Schema extends z.ZodMiniType>(schema: Schema, note: AnyNote): Schema => {
  notes.add(schema, note)
  return schema
}

export const noteOf = (schema: z.core.$ZodType): AnyNote | undefined => notes.get(schema)

const WHOLE = 'must be a whole number'
const OF_PORT = 'must be 0 to 65535'
const whole = () => z.coerce.number<number>(WHOLE).check(z.int(WHOLE))

/** The kinds of fields an input may have. Numbers may be given as text, as in command lines and addresses. */
export const field = {
  text: (note: FieldNote) => noted(z.optional(z.string()), note),
  time: (edge: 'since' | 'until', note: FieldNote) =>
    noted(z.optional(z.string()), { placeholder: 'time', time: edge, ...note }),
  /** A name to filter by. An empty one would be part of every name. */
  name: (note: FieldNote) =>
    noted(z.optional(z.string().check(z.refine((text) => text.trim() !== '', 'must not be empty'))), note),
  textOr: (otherwise: string, note: FieldNote) => noted(z._default(z.string(), otherwise), note),
  texts: (note: FieldNote) => noted(z._default(z.array(z.string()), []), note),
  flag: (note: FieldNote) => noted(z._default(z.boolean(), false), note),
  /** A switch that is on by default and has a flag `--no-name`. */
  unless: (note: FieldNote) => noted(z._default(z.boolean(), true), note),
  /** A switch with the flags `--name` and `--no-name`. Undefined if neither is given. */
  either: (note: EitherNote) => noted(z.optional(z.boolean()), note),
  atLeast: (least: number, message: string, note: FieldNote) =>
    noted(z.optional(z.coerce.number<number>(message).check(z.gte(least, message))), note),
  count: (note: FieldNote) => noted(z.optional(whole().check(z.gte(0, 'must not be negative'))), note),
  port: (note: FieldNote) =>
    noted(z.optional(whole().check(z.gte(0, OF_PORT), z.lte(65_535, OF_PORT))), note),
  /** A whole number, which may be negative. */
  whole: (note: FieldNote) => noted(z.optional(whole()), note),
  choice: <const Value extends string>(values: readonly Value[], note: FieldNote) =>
    noted(z.optional(z.enum(values)), note),
  choiceOr: <const Value extends string>(
    values: readonly Value[],
    otherwise: NoInfer<Value>,
    note: FieldNote,
  ) => noted(z._default(z.enum(values), otherwise as never), note),
  checked: (test: (text: string) => boolean, message: string, note: FieldNote) =>
    noted(z.optional(z.string().check(z.refine(test, message))), note),
}

/** A field as a flag of the command line. A field with an on and an off switch yields two flags. */
export interface Flag extends Pick<FieldNote, 'path' | 'repeated' | 'hidden'> {
  field: string
  /** The name without dashes: `no-redact`. */
  name: string
  kind: 'switch' | 'value' | 'list'
  /** The value that a switch sets. */
  sets: boolean
  positional: boolean
  words: boolean
  placeholder: string
  description: string
  choices?: readonly string[]
}

/** Derives the flags and arguments of an input from its schema. */
export function flagsOf(input: z.ZodMiniObject): Flag[] {
  return Object.entries(input.shape).flatMap(([field, schema]) => {
    const note = noteOf(schema)
    const inner = unwrapped(schema)
    const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const isOffOnly = schema instanceof z.ZodMiniDefault && schema.def.defaultValue === true
    const flag: Flag = {
      field,
      name: isOffOnly ? `no-${name}` : name,
      kind: inner instanceof z.ZodMiniBoolean ? 'switch' : inner instanceof z.ZodMiniArray ? 'list' : 'value',
      sets: !isOffOnly,
      positional: note?.positional === true,
      words: note?.words === true,
      placeholder: note?.placeholder ?? field,
      description: note?.description ?? '',
      choices: inner instanceof z.ZodMiniEnum ? (inner.options as string[]) : undefined,
      path: note?.path,
      repeated: note?.repeated,
      hidden: note?.hidden,
    }
    return note?.off === undefined
      ? [flag]
      : [flag, { ...flag, name: `no-${name}`, sets: false, description: note.off }]
  })
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniDefault) inner = inner.def.innerType
  return inner
}

/** Formats a flag for help and messages: `--claude-dir <dir>`. */
export function flagTerm({ kind, name, placeholder }: Flag): string {
  if (kind === 'switch') return `--${name}`
  return `--${name} ${placeholder.includes('<') ? placeholder : `<${placeholder}>`}`
}

/** The words of a command line that yields these values again, arguments first. `pathOf` rewrites paths. */
export function wordsOf(
  flags: readonly Flag[],
  values: Readonly<Record<string, unknown>>,
  pathOf: (path: string) => string = (path) => path,
): string[] {
  const textOf = (flag: Flag, value: unknown): string =>
    flag.path === undefined ? String(value) : pathOf(String(value))
  const inOrder = [
    ...flags.filter(({ positional }) => positional),
    ...flags.filter((flag) => !flag.positional),
  ]
  return inOrder.flatMap((flag) => {
    const value = values[flag.field]
    if (value === undefined) return []
    if (flag.kind === 'switch') return value === flag.sets ? [`--${flag.name}`] : []
    const texts = (Array.isArray(value) ? value : [value]).map((each) => textOf(flag, each))
    return flag.positional ? texts : texts.flatMap((text) => [`--${flag.name}`, text])
  })
}

/** Which clients delete transcripts, and after how many days: `Claude Code: 30`. */
const KEEPS = identities.flatMap(({ name, keeps }) => (keeps ? `${name}: ${keeps.days}` : [])).join(', ')

/** One field for each platform. `--dir` names the same folders. */
const dirs = Object.fromEntries(
  dirFlags.map(({ field: name, title }) => [
    name,
    field.texts({
      description: `read this ${title} folder instead of the default; can be repeated`,
      placeholder: 'dir',
      path: 'dir',
      repeated: true,
    }),
  ]),
)

/** The flags of every command. Options, help, completions, services and printed commands come from here. */
const shape = {
  json: field.flag({ description: 'print JSON' }),
  ...(dirs as object),
  dir: field.texts({
    description: 'the same for any platform; can be repeated',
    placeholder: '<platform>=<dir>',
  }),
  from: field.text({
    description: 'read an archive made by "scrollback collect" instead of this machine',
    placeholder: 'dir',
    path: 'dir',
    repeated: true,
  }),
  store: field.text({
    description: 'read a team store instead of this machine: clickhouse://user@host/database',
    placeholder: 'address',
    repeated: true,
  }),
  storePasswordFile: field.text({
    description: 'a file with its password; otherwise SCROLLBACK_STORE_PASSWORD',
    placeholder: 'file',
    path: 'file',
    repeated: true,
  }),
  deleted: field.flag({
    description: 'also sessions that were deleted but are still on disk',
    repeated: true,
  }),
  backups: field.flag({ description: 'also backup copies of transcripts', repeated: true }),
  demo: field.flag({ description: 'use the bundled demo data', repeated: true }),
  redact: field.unless({ description: 'show secrets: takes texts from the transcripts, not from the store' }),
  retention: field.atLeast(1, 'must be a number of days, 1 or more', {
    description: `days after which clients delete transcripts (by default ${KEEPS}; "keep --remember" states them once)`,
    placeholder: 'days',
    repeated: true,
  }),
  pager: field.unless({ description: 'never start a pager' }),
  color: field.either({
    description: 'use colors even when the output is not a terminal',
    off: 'use no colors',
  }),
}

export const globalInput = z.object(shape)

/** The given global flags. Folders are in the field of their platform (`DirFlag.field`). */
export type GlobalFlags = Partial<z.output<typeof globalInput>>

export const globalFlags = flagsOf(globalInput)

const repeated = globalFlags.filter((flag) => flag.repeated)

/** The flags that select the machine, for another command line about the same machine. */
export const machineWords = (flags: GlobalFlags, pathOf?: (path: string) => string): string[] =>
  wordsOf(repeated, flags, pathOf)

/** The resuming command as a line for a shell: PowerShell on Windows, a POSIX shell elsewhere. */
export function resumeLine(
  words: readonly string[],
  variables: Record<string, string>,
  directory: string | null,
  platform: NodeJS.Platform = process.platform,
): string {
  const quoted = (word: string): string => shellWord(word, platform)
  const command = words.map(quoted).join(' ')
  const set = Object.entries(variables)
  if (platform !== 'win32') {
    const line = [...set.map(([name, value]) => `${name}=${quoted(value)}`), command].join(' ')
    return directory === null ? line : `cd ${quoted(directory)} && ${line}`
  }
  // PowerShell has no variables for one command, and its older versions no `&&`.
  const steps = set.map(([name, value]) => `$env:${name} = '${value.replaceAll("'", "''")}'`)
  return [...(directory === null ? [] : [`cd ${quoted(directory)}`]), ...steps, command].join('; ')
}

/** The command line that was given, by fields. */
interface Given {
  command: { name: string; input: z.ZodMiniObject }
  given: Readonly<Record<string, unknown>>
}

/**
 * Formats command lines that can be pasted and read the same folders: `suggest('read', [id])`. Quotes words
 * where needed. With `--demo`, they read the demo data instead. `flagsFor` chooses the flags that name the
 * machine.
 */
export function suggesting(
  program: string,
  flagsFor: (words: readonly string[]) => readonly string[],
  asked?: Given,
  id: Suggest['id'] = (session) => session,
): Suggest {
  const line = (command: readonly string[], words: readonly SuggestedWord[]): string => {
    const given = words.flatMap((word) =>
      typeof word === 'string'
        ? flagAndValue(word)
        : 'flag' in word
          ? word.values.flatMap((value) => flagAndValue(`${word.flag}=${value}`))
          : word.filter(isPlain),
    )
    const own = [...command, ...given]
    const machine = own.includes('--demo') ? [] : flagsFor(own)
    // Otherwise, a session whose id is `--undo` would be a flag.
    const last = words.flatMap((word) =>
      typeof word === 'string' || 'flag' in word ? [] : word.filter((each) => !isPlain(each)),
    )
    const all = [program, ...own, ...machine, ...(last.length === 0 ? [] : ['--', ...last])]
    return [all[0]!, ...all.slice(1).map((word) => shellWord(word))].join(' ')
  }
  const flags = asked ? flagsOf(asked.command.input) : []
  return Object.assign((command: string, ...words: readonly SuggestedWord[]) => line([command], words), {
    id,
    takes: (field: string) => flags.some((flag) => flag.field === field),
    again({ flags: more = [], arguments: instead, renamed }: Parameters<Suggest['again']>[0]) {
      const isRepeated = ({ name, positional }: Flag): boolean =>
        name !== 'dry-run' &&
        !(instead && positional) &&
        !more.some((flag) => flag === `--${name}` || flag.startsWith(`--${name}=`))
      const repeated = flags.filter(isRepeated)
      const values = asked?.given ?? {}
      const named = wordsOf(
        repeated.filter(({ positional }) => !positional),
        values,
      )
      const positional =
        instead ??
        wordsOf(
          repeated.filter(({ positional }) => positional),
          values,
        ).map((word) => (word === renamed?.from ? renamed.to : word))
      return line(
        [...(asked ? [asked.command.name] : []), ...positional.filter(isPlain), ...named],
        [positional.filter((word) => !isPlain(word)), ...more],
      )
    },
  })
}

/** Whether the program takes a word as an argument, also the name of a folder of Claude Code: `-home-ann`. */
const isPlain = (word: string): boolean => /^(?:[^-]|-[^-\s]{2}|$)/.test(word)

/** A value that begins with `-` stays in one word with its flag. */
function flagAndValue(word: string): string[] {
  const [, flag, value] = /^(--[a-z-]+)=([^-].*)$/s.exec(word) ?? []
  return flag === undefined ? [word] : [flag, value!]
}

/** A shorter prefix fits too many words. */
const SHORTEST = 3

/** Suggests words that differ by one changed, missing or extra letter, and words with this prefix. */
export function alike(word: string, among: readonly string[]): string[] {
  const wanted = word.toLowerCase()
  return among.filter(
    (each) => withinOneSlip(wanted, each) || (wanted.length >= SHORTEST && each.startsWith(wanted)),
  )
}
