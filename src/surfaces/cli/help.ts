import type { Command as Program } from 'commander'
import type { Command } from '../../commands/command.ts'
import { commands } from '../../commands/index.ts'

const COLUMN = 26

const row = (left: string, right: string): string => `  ${left.padEnd(COLUMN)}  ${right}\n`

/** The help of one command: what it does, its arguments, its flags, examples. */
export function helpText(command: Command, program: Program): string {
  const positional = program.registeredArguments
    .map((argument) => ` [${argument.name()}${argument.variadic ? '...' : ''}]`)
    .join('')
  let text = `Usage: ${program.name()}${positional} [options]\n\n${sentence(command.summary)}\n`
  if (command.details) text += `${command.details}\n`
  if (program.registeredArguments.length > 0) {
    text += '\nArguments:\n'
    for (const argument of program.registeredArguments) text += row(argument.name(), argument.description)
  }
  text += '\nOptions:\n'
  for (const option of program.options) text += row(option.flags, option.description)
  text += `${row('-h, --help', 'this text')}\nExamples:\n`
  for (const { command: line, tells } of command.examples) text += `  ${line}\n      ${tells}\n`
  return text
}

/** The help of the whole program. */
export async function programHelp(version: string): Promise<string> {
  let text = `scrollback ${version}: finds and reads what people and their AI agents said to each other\n\nUsage: scrollback [command] [options]\n\nCommands:\n`
  text += row('(none)', 'what is on this machine, and what to try next')
  for (const [name, load] of Object.entries(commands))
    if (name !== 'overview') text += row(name, (await load()).summary)
  text += row('completions <shell>', 'completions for bash, zsh or fish')
  text += `\nEvery command takes --json, --demo, --claude-dir <dir>, --openclaw-dir <dir>, --from <dir>, --deleted, --backups, --no-redact and --help.\n`
  text += `\nExamples:\n  scrollback sessions --all --since 7d\n  scrollback read eastore --fold\n  scrollback projects eastore --demo\n`
  return `${text}\nExit codes: 0 done, 1 a fault, 2 wrong usage, 3 partly done (something could not be read).\n`
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`
