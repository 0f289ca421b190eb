import type { Command } from '../commands/kit/command.ts'
import type { Gate } from '../render/gate.ts'
import { printableJson } from '../render/printable.ts'

/** The answer of a command as JSON, the same on every surface. It still has to pass the gate. */
export const answerPieces = (
  { json }: Pick<Command, 'json'>,
  found: unknown,
  gate: Gate,
): Iterable<string | Uint8Array> =>
  json?.(found) ?? [printableJson(`${JSON.stringify(gate.value(found), null, 2)}\n`)]
