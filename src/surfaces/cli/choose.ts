import { isatty } from 'node:tty'
import type { Context } from '../../commands/kit/context.ts'
import type { Gate } from '../../render/gate.ts'

/** Asks on the terminal, and prints the dialog to stderr. Only for an interactive terminal. */
export function chooserFor(gate: Gate): Context['choose'] {
  // Every command comes here. `process.stdin` would open a stream.
  if (!isatty(0) || !isatty(2)) return undefined
  return async (question, options) => {
    const { isCancel, select } = await import('@clack/prompts')
    const picked = await select({
      message: gate.text(question),
      options: options.map(({ label, hint }, value) => ({
        value,
        label: gate.text(label),
        hint: hint === undefined ? undefined : gate.text(hint),
      })),
      output: process.stderr,
    })
    return isCancel(picked) ? undefined : picked
  }
}
