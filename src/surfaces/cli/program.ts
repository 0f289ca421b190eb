import { Command as Program } from 'commander'
import { commands } from '../../commands/index.ts'
import type { Command } from '../../commands/kit/command.ts'
import { flagsOf, globalFlags } from '../../commands/kit/flags.ts'
import { ScrollbackError } from '../../errors.ts'
import { aliasesOf, unknownCommand } from './command-names.ts'
import { addFlags, guarded, unguarded, type Words, wordsTaken } from './flags.ts'
import { afterHelp, beforeHelp, CommandHelp, descriptionOf, examplesOf, helpWidth } from './help.ts'
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
  /** Prints completions. See `completions.ts`. */
  complete(shell: string | undefined): Promise<void>
}

/** Commander's program, which accepts words that begin with a minus if the command does. */
class CommandLineProgram extends Program {
  words: Words = 'names'

  override createCommand(name?: string): CommandLineProgram {
    return new CommandLineProgram(name)
  }

  override createHelp(): CommandHelp {
    return Object.assign(new CommandHelp(), this.configureHelp())
  }

  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    return super.parseOptions(guarded(args, this.words))
  }
}

/**
 * Every command is a subcommand. Its flags are added when it is chosen, so that only its own code is loaded.
 */
export function createProgram({ version, output, columns, answer, complete }: Surface): Program {
  const width = helpWidth(columns)
  const program = new CommandLineProgram('scrollback')
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => output.print(text),
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
  program
    .command('completions')
    .summary('completions for bash, zsh or fish')
    .description('Print completions for bash, zsh or fish.')
    .usage('<shell>')
    .argument('[shell]', 'bash, zsh or fish')
    .action((shell?: string) => complete(shell))
  program.command('help', { hidden: true }).argument('[command]').action(showHelp)
  program
    .command('version', { hidden: true })
    .description('Print the version.')
    .action(() => output.print(`${version}\n`))

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

  async function answerBare(): Promise<void> {
    const [word] = program.args
    if (program.opts().help) return showHelp()
    if (word?.startsWith('-')) throw misplacedFlag(word, program)
    if (word !== undefined) throw unknownCommand(unguarded(word), namesOf(program))
    await answer({ command: await commands.overview!(), ...lineParts(program) })
  }

  async function showHelp(name?: string): Promise<void> {
    if (name === undefined || name === 'help') {
      for (const child of program.commands)
        if (Object.hasOwn(commands, child.name())) child.summary((await load(child)).summary)
      return program.outputHelp()
    }
    const child = childNamed(program, name)
    if (!child) throw unknownCommand(name, namesOf(program))
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
      .addHelpText('after', examplesOf(command, width))
      .showHelpAfterError(wayOutOf(command))
    addFlags(child, globalFlags)
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
