import { join } from 'node:path'
import { dirFlags } from '../../context/dir-flags.ts'
import { type GlobalFlags, globalInput } from '../../context/flags.ts'
import { ScrollbackError } from '../../errors.ts'
import { claimProcess } from '../../io/process.ts'
import { createGate } from '../../render/gate.ts'
import { completionNames } from '../../selection/session-names.ts'
import { dataFolder, dirsOf } from '../environment.ts'
import { type Host, processHost } from '../host.ts'
import { answer, reportFault } from './answer.ts'
import { completionScript, SHELLS } from './completions.ts'
import { withoutAlias } from './meant.ts'
import { columnsOf, createOutput, type Output } from './output.ts'
import { type CommandLine, createProgram, parseInput } from './program.ts'

export { processHost } from '../host.ts'

/** Runs one command line and prints everything. Returns the exit code. */
export async function main(args: readonly string[], host: Host, version: string): Promise<number> {
  if (host.isOurs) claimProcess(host.env)
  const output = talk(host)
  let code = 0
  const program = createProgram({
    version,
    output,
    columns: columnsOf(host.stdout, host.env),
    async answer(line) {
      code = await answer({ command: line.command, ...flagsIn(line, host), version, host })
    },
    complete: (shell) => complete(shell, host),
  })
  try {
    await program.parseAsync(withoutAlias(args), { from: 'user' })
    return code
  } catch (error) {
    return reportFault(error, output)
  }
}

/** Reports the error that ended a part of the program that runs by itself. Returns the exit code. */
export const reportError = (error: unknown): number => reportFault(error, talk(processHost()))

/** Prints a message of such a part to stderr, redacted. */
export const say = (message: string): void => talk(processHost()).say(`${message}\n`)

/** Until the flags are parsed, output is redacted and without colors. */
const talk = (host: Host): Output => createOutput(createGate({ redact: true, colors: false }), host)

function flagsIn(
  { command, given, global }: CommandLine,
  host: Host,
): { given: Record<string, unknown>; flags: GlobalFlags } {
  // A command may have levels of redaction. Then `--no-redact` is one of them.
  const isOff = given.redact === false
  const flags = parseInput(command.name, globalInput, { ...global, redact: !isOff })
  const own = 'redact' in command.input.shape && isOff ? { ...given, redact: 'off' } : given
  return { given: own, flags: withDirs(flags, host) }
}

/** Moves the folders of `--dir` to the field of their platform. */
function withDirs(flags: GlobalFlags, host: Host): GlobalFlags {
  const dirs = dirsOf(flags, host)
  const fields = dirFlags.map(({ field, platform }) => [field, dirs[platform] ?? []])
  return { ...flags, ...Object.fromEntries(fields), dir: [] }
}

async function complete(shell: string | undefined, host: Host): Promise<string> {
  if (shell === 'names' || shell === 'agents')
    return completionNames(shell, join(dataFolder(host), 'store.sqlite'))
  const known = SHELLS.find((each) => each === shell)
  if (!known)
    throw new ScrollbackError(
      'bad-option',
      shell === undefined ? 'completions: the shell is missing' : `completions: unknown shell "${shell}"`,
      'Use bash, zsh or fish, for example: scrollback completions bash > ~/.local/share/bash-completion/completions/scrollback',
    )
  return completionScript(known)
}
