import { createGate } from '../../render/gate.ts'

const gate = createGate({ redact: true, colors: false })

/** Redacts everything that the module returns, unless secrets were requested. */
export const redacted: <Value>(value: Value) => Value = gate.value
