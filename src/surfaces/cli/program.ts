import { Argument, Help, Option, Command as Program } from 'commander'
import type * as z from 'zod/mini'
import { commands, groups } from '../../commands/index.ts'
import type { Command } from '../../context/command.ts'
import { type Flag, flagsOf, flagTerm, globalFlags } from '../../context/flags.ts'
import { spanAmong } from '../../context/time.ts'
import { ScrollbackError } from '../../errors.ts'
import { wrap } from '../../render/terminal.ts'
import { commandMeant, flagMeant } from './meant.ts'
import type { Output } from './output.ts'

/** A parsed command line: values by field, unchecked. */
export interface CommandLine {
  command: Command
  /** The values of the command's flags. */
  given: Record<string, unknown>
  /** The values of the global flags. */
  global: Record<string, unknown>
}

interface Surface {
  version: string
  output: Output
  /** The width of the answer. */
  columns: number
  answer(line: CommandLine): Promise<void>
  /** The completions for a shell. See `completions.ts`. */
  complete(shell: string | undefined): Promise<string>
}

/** Commander's program, which accepts words that begin with a minus if the command does. */
class CommandLineProgram extends Program {
  words: Words = 'names'
  /** The whole command line. Commander sets it on the program. */
  declare rawArgs: string[]

  override createCommand(name?: string): CommandLineProgram {
    return new CommandLineProgram(name)
  }

  override createHelp(): CommandHelp {
    return Object.assign(new CommandHelp(), this.configureHelp())
  }

  /** Called by Commander for the first unknown flag of a command line. */
  unknownOption(flag: string): void {
    const whole = this.parent as CommandLineProgram | null
    // Before the name of a command, flags are those of a command that follows: see `answerBare`.
    if (!whole) return
    const names = [...this.options, ...whole.options].flatMap(({ long, hidden }) =>
      long && !hidden ? long : [],
    )
    const argument = this.registeredArguments[0]?.name()
    const meant = flagMeant(flag, { names, argument }, whole.rawArgs)
    // What was typed is no advice.
    const line =
      meant === undefined || meant.endsWith(whole.rawArgs.join(' ')) ? '' : `\nDid you mean: ${meant}`
    this.error(`error: unknown option '${flag}'${line}`, { code: 'commander.unknownOption' })
  }

  /** Whether the words after the name may be a time: there they are names, and not words to search for. */
  private isTimed(): boolean {
    const flags = new Set(this.options.map(({ long }) => long))
    return this.words === 'names' && flags.has('--since') && flags.has('--until')
  }

  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    const { operands, unknown } = super.parseOptions(guarded(args, this.words))
    const { since, until } = this.opts()
    const last = args.indexOf('--')
    const ended = last < 0 ? [] : operands.splice(operands.length - (args.length - 1 - last))
    const timed =
      this.isTimed() && since === undefined && until === undefined ? spanAmong(operands) : undefined
    if (!timed) return { operands: [...operands, ...ended], unknown }
    for (const edge of ['since', 'until']) this.setOptionValueWithSource(edge, timed.span, 'cli')
    return { operands: [...timed.others, ...ended], unknown }
  }
}

/**
 * Every command is a subcommand. Its flags are added when it is chosen, so that only its own code is loaded.
 */
export function createProgram({ version, output, columns, answer, complete }: Surface): Program {
  const width = helpWidth(columns)
  /** Help that is gathered for an answer in JSON. */
  let gathered: string[] | undefined
  const print = (text: string): void => void (gathered ? gathered.push(text) : output.print(text))
  const program = new CommandLineProgram('scrollback')
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .configureOutput({
      writeOut: print,
      writeErr: (text) => output.say(text.replace(/^error: /, 'scrollback: ')),
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .helpOption('-h, --help', 'this text')
  const load = async (child: Program): Promise<Command> => commands[child.name()]!()

  for (const name of Object.keys(commands)) {
    const child = program.command(name).aliases(aliasesOf(name))
    child.action(async () => answer(lineOf(await load(child), child)))
  }
  const completions = program
    .command('completions')
    .summary('completions for bash, zsh or fish')
    .description('Print completions for bash, zsh or fish.')
    .usage('<shell>')
    .argument('[shell]', 'bash, zsh or fish')
    .action(async (shell?: string) => answerText({ script: await complete(shell) }, completions))
  const help = program
    .command('help', { hidden: true })
    .argument('[command]')
    .action(async (name?: string) => {
      gathered = []
      await showHelp(name)
      const text = gathered.join('')
      gathered = undefined
      answerText({ help: text }, help)
    })
  const versions = program
    .command('version', { hidden: true })
    .description('Print the version.')
    .action(() => answerText({ program: `${version}\n` }, versions))
  for (const child of [completions, help, versions]) addHiddenFlags(child)

  program
    .usage('[command] [options]')
    .version(version)
    .addHelpText('before', beforeHelp(version, width))
    .addHelpText('after', afterHelp(width))
    .argument('[command]')
    .allowExcessArguments()
    .allowUnknownOption()
    .showHelpAfterError('See: scrollback --help')
    // The help of the program needs every command, so the action below prints it.
    .helpOption(false)
    .option('-h, --help')
    .action(answerBare)
  addFlags(program, globalFlags)
  program.hook('preSubcommand', async (_, child) => {
    if (!Object.hasOwn(commands, child.name())) return
    define(child as CommandLineProgram, await load(child))
    if (program.opts().help) child.help()
  })
  return program

  /** Prints a text that no command answers, or with `--json` the same in its field. */
  function answerText(answer: Record<string, string>, child: Program): void {
    const [[field, text]] = Object.entries(answer) as [[string, string]]
    const asJson = `${JSON.stringify({ version: 1, [field]: text.trimEnd() }, null, 2)}\n`
    output.print(lineParts(program, child).global.json ? asJson : text)
  }

  async function answerBare(): Promise<void> {
    const [word] = program.args
    if (program.opts().help) return showHelp()
    if (word?.startsWith('-')) throw misplacedFlag(word, program)
    if (word !== undefined) throw unknownCommand(unguarded(word), namesOf(program), program.rawArgs)
    await answer({ command: await commands.overview!(), ...lineParts(program) })
  }

  async function showHelp(name?: string): Promise<void> {
    if (name === undefined || name === 'help') {
      for (const child of program.commands)
        for (const [group, names] of Object.entries(groups))
          if (Object.hasOwn(names, child.name())) child.summary(names[child.name()]!).helpGroup(group)
      return program.outputHelp()
    }
    if (name === SOURCES) return print(sourcesHelp(width))
    const child = childNamed(program, name)
    if (!child) throw unknownCommand(name, namesOf(program), ['help', name])
    if (Object.hasOwn(commands, child.name())) define(child as CommandLineProgram, await load(child))
    child.outputHelp()
  }

  function define(child: CommandLineProgram, command: Command): void {
    addFlags(child, flagsOf(command.input))
    child.words = wordsTaken(command)
    const positional = child.registeredArguments
      .map((argument) => `[${argument.name()}${argument.variadic ? '...' : ''}] `)
      .join('')
    child
      .usage(`${positional}[options]`)
      .description(descriptionOf(command))
      .addHelpText('after', `${examplesOf(command, width)}\n\n${wrap(ALSO, width)}`)
      .showHelpAfterError(wayOutOf(command))
    addHiddenFlags(child)
  }

  function lineOf(command: Command, child: Program): CommandLine {
    const { given, global } = lineParts(program, child)
    for (const [index, { field }] of flagsOf(command.input)
      .filter((flag) => flag.positional)
      .entries())
      given[field] = unguarded(child.processedArgs[index])
    return { command, given, global }
  }
}

const namesOf = (program: Program): string[] =>
  program.commands.map((child) => child.name()).filter((name) => name !== 'overview')

const childNamed = (program: Program, name: string): Program | undefined =>
  program.commands.find((child) => [child.name(), ...child.aliases()].includes(name))

/** The error for a flag before any command: either no command has it, or a later command does. */
function misplacedFlag(flag: string, program: Program): ScrollbackError {
  const rest = program.args.slice(1)
  const at = rest.findIndex((word) => childNamed(program, word))
  const flags = [flag, ...rest.slice(0, Math.max(0, at))].map(unguarded)
  return new ScrollbackError(
    'bad-option',
    `unknown option '${flags[0]}'`,
    at < 0
      ? 'See: scrollback --help'
      : `The flags of a command follow its name: scrollback ${rest[at]} ${flags.join(' ')}`,
  )
}

const wayOutOf = (command: Command): string =>
  `See: scrollback ${command.name} --help${
    wordsTaken(command) === 'any'
      ? `\nTo search for words that begin with -, put -- before them: scrollback ${command.name} -- --word`
      : ''
  }`

const GLOBAL_FIELDS = new Set(globalFlags.map(({ field }) => field))

/** The values of flags before and after the name of the command. */
function lineParts(...programs: Program[]): Pick<CommandLine, 'given' | 'global'> {
  const given: Record<string, unknown> = {}
  for (const program of programs)
    for (const [field, value] of Object.entries(program.opts())) {
      if (program.getOptionValueSource(field) !== 'cli') continue
      const before = given[field]
      const own = unguarded(value)
      given[field] = Array.isArray(before) ? [...before, ...own] : own
    }
  const global = Object.fromEntries(Object.entries(given).filter(([field]) => GLOBAL_FIELDS.has(field)))
  return { given, global }
}

const gather = (value: string, before: string[] = []): string[] => [...before, value]

/** Adds flags and arguments to a program. */
function addFlags(program: Program, flags: readonly Flag[]): void {
  for (const flag of flags) {
    if (flag.positional) {
      program.addArgument(
        new Argument(flag.kind === 'list' ? `[${flag.field}...]` : `[${flag.field}]`, flag.description),
      )
      continue
    }
    const option = new Option(flagTerm(flag), flag.description)
    if (flag.kind === 'list') option.argParser(gather)
    if (flag.hidden) option.hideHelp()
    program.addOption(flag.choices ? option.choices([...flag.choices]) : option)
  }
}

/** Adds the flags of every command, which its help only names. */
const addHiddenFlags = (program: Program): void =>
  addFlags(
    program,
    globalFlags.map((flag) => ({ ...flag, hidden: true })),
  )

/** Precedes a word that begins with a minus and is not a flag. */
const GUARD = '\0'

/** What words after a command may be. */
type Words = 'none' | 'names' | 'any'

function wordsTaken({ input }: Command): Words {
  const positional = flagsOf(input).filter((flag) => flag.positional)
  if (positional.length === 0) return 'none'
  return positional.some((flag) => flag.words) ? 'any' : 'names'
}

/**
 * Prevents words that begin with one minus from being parsed as flags: folder names of Claude Code
 * (`-home-ann-api`), and any word if the command takes words (`-x` in a query). Call `unguarded` on the
 * result of parsing.
 */
function guarded(args: readonly string[], words: Words): string[] {
  if (words === 'none') return [...args]
  if (words === 'names') return args.map((arg) => (/^-[^-\s]{2}/.test(arg) ? `${GUARD}${arg}` : arg))
  return args.map((arg) =>
    arg !== '-h' && /^(?:-[^-]|--\S*\s)/.test(arg) && !/^--[\w-]+=/.test(arg) ? `${GUARD}${arg}` : arg,
  )
}

const unguarded = <Value>(value: Value): Value =>
  (Array.isArray(value)
    ? value.map(unguarded)
    : typeof value === 'string' && value.startsWith(GUARD)
      ? value.slice(1)
      : value) as Value

/** Checks values against a schema. An error names the flag. */
export function parseInput<Input extends z.ZodMiniObject>(
  command: string,
  input: Input,
  given: Record<string, unknown>,
): z.output<Input> {
  const parsed = input.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const flag = flagsOf(input).find((each) => each.field === issue?.path[0])
  const stated = String(given[flag?.field ?? '']) || "''"
  const fault = flag?.choices ? 'there is no such choice' : issue?.message
  throw new ScrollbackError(
    'bad-option',
    `${flag?.positional ? flag.field : `--${flag?.name}`} ${stated}: ${fault}`,
    flag?.choices ? `Choose one: ${flag.choices.join(', ')}` : `See: scrollback ${command} --help`,
  )
}

/** The width of names. Their descriptions are next to them. */
const COLUMN = 26
/** The width of lines in a pipe. */
const USUAL = 80
/** Wider lines are hard to read. */
const WIDEST = 120

const helpWidth = (columns: number): number => Math.min(Number.isFinite(columns) ? columns : USUAL, WIDEST)

/** Formats help in our columns, and wraps it like all other text. */
class CommandHelp extends Help {
  override minWidthToWrap = 0

  override padWidth(): number {
    return COLUMN
  }

  /** Only shows the name of the command, not its aliases. */
  override commandUsage(program: Program): string {
    const names = [program.parent?.name(), program.name()].filter((name) => name && name !== 'overview')
    return [...names, program.usage()].join(' ')
  }

  override boxWrap(text: string, width: number): string {
    return wrap(text, width)
  }

  /** The help of the program lists the global flags in one sentence: see `afterHelp`. */
  override visibleOptions(program: Program): ReturnType<Help['visibleOptions']> {
    return program.parent ? super.visibleOptions(program) : []
  }

  /** In the order of the groups. */
  override visibleCommands(program: Program): Program[] {
    const order = Object.values(groups).flatMap((names) => Object.keys(names))
    const at = (child: Program): number => order.indexOf(child.name())
    return super
      .visibleCommands(program)
      .filter((child) => at(child) >= 0)
      .toSorted((one, other) => at(one) - at(other))
  }

  /** The groups in our order, too. */
  override groupItems<Grouped extends Program | Option>(
    _: Grouped[],
    visible: Grouped[],
    groupOf: (item: Grouped) => string,
  ): Map<string, Grouped[]> {
    return super.groupItems(visible, visible, groupOf)
  }

  override subcommandTerm(program: Program): string {
    if (program.name() === 'overview') return '(none)'
    return [program.name(), ...program.registeredArguments.map((argument) => `<${argument.name()}>`)].join(
      ' ',
    )
  }

  override optionDescription(option: Parameters<Help['optionDescription']>[0]): string {
    return option.description
  }
}

/** The text before the help of the program. */
const beforeHelp = (version: string, width: number): string =>
  `${wrap(`scrollback ${version}: finds, reads and searches sessions of AI agents`, width)}\n`

/** The topic of help about the flags that every command takes. */
const SOURCES = 'sources'

/** The last line of the help of a command. */
const ALSO =
  'Every command also takes --json, --demo (where it only reads), --no-redact, --no-pager, --color and --no-color, and says where to read from: scrollback help sources'

/** The flags that every command takes, one after the other. */
function sourcesHelp(width: number): string {
  const rows = globalFlags.map((flag) => {
    const term = `  ${flagTerm(flag)}`
    const text = wrap(flag.description, width - COLUMN - 4).replaceAll('\n', `\n${' '.repeat(COLUMN + 4)}`)
    return term.length < COLUMN + 3
      ? `${term.padEnd(COLUMN + 4)}${text}`
      : `${term}\n${' '.repeat(COLUMN + 4)}${text}`
  })
  return `Flags that every command takes, for where to read from and how to print:\n\n${rows.join('\n')}\n`
}

/** The text after the help of the program. */
function afterHelp(width: number): string {
  return `
${wrap('Every command takes --help, --json and --demo. Where to read from: scrollback help sources', width)}

Examples:
  scrollback sessions --all --since 7d
  scrollback search how long do tokens stay valid
  scrollback read eastore --fold

${wrap('Exit codes: 0 done, 1 nothing found or an error, 2 wrong usage, 3 partly done (something could not be read).', width)}`
}

const descriptionOf = ({ summary, details }: Command): string =>
  [`${summary[0]!.toUpperCase()}${summary.slice(1)}.`, ...(details ? [details] : [])].join('\n')

const examplesOf = ({ examples }: Command, width: number): string =>
  [
    '\nExamples:',
    ...examples.map(({ command, description }) => `  ${command}\n${wrap(`      ${description}`, width)}`),
  ].join('\n')

/** The singular or plural of a command, unless another command has that name. */
const aliasesOf = (name: string): string[] =>
  [name.replace(/s$/, ''), `${name}s`].filter(
    (form) => !Object.hasOwn(commands, form) && !(name.endsWith('s') && form.endsWith('ss')),
  )

/** The error for an unknown command in a command line. */
function unknownCommand(word: string, names: readonly string[], args: readonly string[]): ScrollbackError {
  const meant = commandMeant(word, names, args)
  return new ScrollbackError(
    'bad-option',
    `unknown command "${word}".`,
    meant === undefined
      ? `Commands: ${names.join(', ')}.\nTo read a session or project: scrollback read ${word}`
      : `Did you mean: ${meant}\nSee all commands: scrollback --help`,
  )
}
