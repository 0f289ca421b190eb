import { Help, type Command as Program } from 'commander'
import type { Command } from '../../commands/kit/command.ts'
import { flagTerm, globalFlags } from '../../commands/kit/flags.ts'
import { wrap } from '../../render/wrap.ts'

/** The width of names. Their descriptions are next to them. */
const COLUMN = 26
/** The width of lines in a pipe. */
const USUAL = 80
/** Wider lines are hard to read. */
const WIDEST = 120

export const helpWidth = (columns: number): number =>
  Math.min(Number.isFinite(columns) ? columns : USUAL, WIDEST)

/** Formats help in our columns, and wraps it like all other text. */
export class CommandHelp extends Help {
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
export const beforeHelp = (version: string, width: number): string =>
  `${wrap(`scrollback ${version}: finds and reads what people and their AI agents said to each other`, width)}\n`

/** The text after the help of the program. */
export function afterHelp(width: number): string {
  const terms = [...globalFlags.map(flagTerm), '--help']
  const flags = `Every command takes ${terms.slice(0, -1).join(', ')} and ${terms.at(-1)}.`
  return `
${wrap(flags, width)}

Examples:
  scrollback sessions --all --since 7d
  scrollback read eastore --fold
  scrollback projects eastore --demo

${wrap('Exit codes: 0 done, 1 a fault, 2 wrong usage, 3 partly done (something could not be read).', width)}`
}

export const descriptionOf = ({ summary, details }: Command): string =>
  [`${summary[0]!.toUpperCase()}${summary.slice(1)}.`, ...(details ? [details] : [])].join('\n')

export const examplesOf = ({ examples }: Command, width: number): string =>
  [
    '\nExamples:',
    ...examples.map(({ command, description }) => `  ${command}\n${wrap(`      ${description}`, width)}`),
  ].join('\n')
