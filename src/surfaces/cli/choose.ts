import type { Context } from '../../commands/command.ts'
import type { Gate } from '../../condense/gate.ts'

/** Asks on the terminal; the answer is talk, so it stays off stdout. Only where somebody can answer. */
export function chooserFor(gate: Gate): Context['choose'] {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
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
