import { globalFlags } from '../../context/flags.ts'
import { isSpan } from '../../context/time.ts'
import { shellWord } from '../../model/shell-word.ts'
import { slipsBetween } from '../../model/slips.ts'

/** Other names of our commands, which are as good. */
const ALIASES: Readonly<Record<string, string>> = {
  ls: 'sessions',
  list: 'sessions',
  log: 'sessions',
  show: 'read',
  cat: 'read',
  open: 'read',
  cost: 'stats',
  usage: 'stats',
  diff: 'changes',
}

/** Commands of their own that are parts of another to people: `collect receive`. */
const PARTS: Readonly<Record<string, readonly string[]>> = { collect: ['receive', 'store', 'keep'] }

/** A command line with the name of the command in place of another one, or before a time: `yesterday`. */
export function withoutAlias(args: readonly string[]): readonly string[] {
  const name = nameIn(args)
  const isHelp = args[name] === 'help'
  const at = isHelp ? name + 1 : name
  const parts = Object.hasOwn(PARTS, args[at] ?? '') ? PARTS[args[at]!]! : []
  if (parts.includes(args[at + 1] ?? '')) return args.toSpliced(at, 1)
  const [word = '', next = ''] = args.slice(at)
  if (isSpan(word) || isSpan(`${word} ${next}`)) return args.toSpliced(at, isHelp ? 1 : 0, 'standup')
  return Object.hasOwn(ALIASES, word) ? args.toSpliced(at, 1, ALIASES[word]!) : args
}

/** Where the name of the command is: behind global flags and their values. */
function nameIn(args: readonly string[]): number {
  let at = 0
  while (args[at]?.startsWith('-') && args[at] !== '--') {
    const flag = globalFlags.find(({ name }) => `--${name}` === args[at])
    at += flag && flag.kind !== 'switch' ? 2 : 1
  }
  return at
}

/** What other programs call our commands. */
const COMMANDS: Readonly<Record<string, string>> = {
  ...named('sessions', ['history', 'recent', 'logs']),
  ...named('read', ['view', 'print', 'less']),
  ...named('stats', ['statistics', 'costs', 'tokens', 'spend', 'report']),
  ...named('search', ['find', 'grep', 'query']),
  ...named('follow', ['tail', 'watch', 'live']),
  ...named('serve', ['web', 'ui', 'page', 'dashboard']),
  ...named('resume', ['continue', 'attach']),
  ...named('forget', ['delete', 'rm', 'remove', 'purge']),
  ...named('changes', ['edits', 'patch']),
  ...named('why', ['blame', 'annotate']),
  ...named('doctor', ['check', 'status', 'health']),
  ...named('setup', ['install', 'init']),
  ...named('setup --undo', ['uninstall', 'undo']),
  ...named('unpack', ['import']),
  ...named('handoff', ['handover', 'hand-over', 'brief']),
  ...named('restore', ['undelete', 'recover', 'rescue']),
}

/** The same of flags. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  '--mine': ['--who=human'],
  '--me': ['--who=human'],
  '--only-me': ['--who=human'],
  '--html': ['--format=html'],
  '--md': ['--format=md'],
  '--markdown': ['--format=md'],
  '--month': ['--by=month'],
  '--remove': ['--undo'],
  '--uninstall': ['--undo'],
  '--revert': ['--undo'],
  '--simulate': ['--dry-run'],
  '--no-act': ['--dry-run'],
  '--from': ['--since'],
  '--after': ['--since'],
  '--before': ['--until'],
  '--force': ['--yes'],
  '--max': ['--limit'],
  '--count': ['--limit'],
  '--output': ['--out'],
  '--group-by': ['--by'],
}

/** Flags of other programs for what is an argument here. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  '--to': ['destination'],
  '--out': ['destination'],
  '--output': ['destination'],
  '--target': ['destination'],
  '--id': ['session', 'target'],
  '--session': ['target'],
  '--repo': ['project'],
  '--name': ['project'],
  '--file': ['target'],
  '--path': ['file', 'target', 'project'],
  '--input': ['file'],
  '--agent': ['owner'],
}

function named(command: string, others: readonly string[]): Record<string, string> {
  return Object.fromEntries(others.map((other) => [other, command]))
}

/** The command line with the command that an unknown word probably means. Undefined if none is like it. */
export function commandMeant(
  word: string,
  names: readonly string[],
  args: readonly string[],
): string | undefined {
  const command = COMMANDS[word] ?? nearest(word, names)
  return command === undefined ? undefined : lineWith(args, word, command.split(' '))
}

/**
 * The command line with the flag that an unknown one probably means, or without it where its value is an
 * argument: `sessions --project shop`. Undefined if none is like it.
 */
export function flagMeant(
  flag: string,
  { names, argument }: { names: readonly string[]; argument: string | undefined },
  args: readonly string[],
): string | undefined {
  const [name = flag] = flag.split('=', 1)
  const known = FLAGS[name]?.find((each) => names.includes(each.split('=')[0]!))
  const isArgument =
    argument !== undefined &&
    (ARGUMENTS[name]?.includes(argument) || nearest(name.slice(2), [argument]) !== undefined)
  if (known === undefined && isArgument) return lineWith(args, name, [])
  const meant = known ?? nearest(name, names)
  return meant === undefined ? undefined : lineWith(args, name, [meant])
}

/** The first with fewest wrong, missing, extra or exchanged letters, or that begins with the word. */
function nearest(word: string, among: readonly string[]): string | undefined {
  const most = word.replace(/^--/, '').length < 5 ? 1 : 2
  const rated = among.map((each) => ({
    each,
    slips: each.startsWith(word) && word.length >= 3 ? 0 : slipsBetween(word, each, most),
  }))
  return rated.filter(({ slips }) => slips <= most).sort((one, other) => one.slips - other.slips)[0]?.each
}

/** The line as it was given, with other words in place of one. The value after `=` stays. */
function lineWith(args: readonly string[], word: string, instead: readonly string[]): string {
  const at = args.findIndex((each) => each === word || each.startsWith(`${word}=`))
  const value = args[at]?.startsWith(`${word}=`) ? args[at].slice(word.length + 1) : undefined
  const words =
    value === undefined
      ? instead
      : instead.length === 0
        ? [value]
        : [...instead.slice(0, -1), `${instead.at(-1)}=${value}`]
  return ['scrollback', ...args.slice(0, at), ...words, ...args.slice(at + 1)]
    .map((each) => shellWord(each))
    .join(' ')
}
