import type { Command as Program } from 'commander'
import type { Command } from '../../commands/command.ts'
import { commands } from '../../commands/index.ts'
import { wrap } from '../../condense/wrap.ts'

const COLUMN = 26

/** In a pipe, lines are as long as in a terminal. */
const USUAL = 80
/** Wider lines are hard to read. */
const WIDEST = 120

const widthFor = (columns: number): number => Math.min(Number.isFinite(columns) ? columns : USUAL, WIDEST)

/** A name, and beside it what it means, as wide as there is room. */
function row(left: string, right: string, columns: number): string {
  const indent = COLUMN + 4
  const lines = wrap(right, columns - indent).split('\n')
  const begin = left.length > COLUMN ? `  ${left}\n${' '.repeat(indent)}` : `  ${left.padEnd(COLUMN)}  `
  return `${begin}${lines.join(`\n${' '.repeat(indent)}`)}\n`
}

/** The help of one command: what it does, its arguments, its flags, examples. */
export function helpText(command: Command, program: Program, columns: number): string {
  const width = widthFor(columns)
  const positional = program.registeredArguments
    .map((argument) => ` [${argument.name()}${argument.variadic ? '...' : ''}]`)
    .join('')
  let text = `Usage: ${program.name()}${positional} [options]\n\n${wrap(sentence(command.summary), width)}\n`
  if (command.details) text += `${wrap(command.details, width)}\n`
  if (program.registeredArguments.length > 0) {
    text += '\nArguments:\n'
    for (const argument of program.registeredArguments)
      text += row(argument.name(), argument.description, width)
  }
  text += '\nOptions:\n'
  for (const option of program.options) text += row(option.flags, option.description, width)
  text += `${row('-h, --help', 'this text', width)}\nExamples:\n`
  for (const { command: line, tells } of command.examples)
    text += `  ${line}\n${wrap(`      ${tells}`, width)}\n`
  return text
}

/** The help of the whole program. */
export async function programHelp(version: string, columns: number): Promise<string> {
  const width = widthFor(columns)
  let text = `${wrap(`scrollback ${version}: finds and reads what people and their AI agents said to each other`, width)}\n\nUsage: scrollback [command] [options]\n\nCommands:\n`
  text += row('(none)', 'what is on this machine, and what to try next', width)
  for (const [name, load] of Object.entries(commands))
    if (name !== 'overview') text += row(name, (await load()).summary, width)
  text += row('completions <shell>', 'completions for bash, zsh or fish', width)
  text += `\n${wrap('Every command takes --json, --demo, --claude-dir <dir>, --openclaw-dir <dir>, --from <dir>, --deleted, --backups, --no-redact and --help.', width)}\n`
  text += `\nExamples:\n  scrollback sessions --all --since 7d\n  scrollback read eastore --fold\n  scrollback projects eastore --demo\n`
  return `${text}\n${wrap('Exit codes: 0 done, 1 a fault, 2 wrong usage, 3 partly done (something could not be read).', width)}\n`
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`
