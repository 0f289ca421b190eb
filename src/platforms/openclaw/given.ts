import { basename } from 'node:path'
import type { GivenFile } from '../platform.ts'
import { openclawIdentity } from './identity.ts'

/** Types of record that only OpenClaw writes. */
const TYPES =
  /^(?:session|message|model_change|thinking_level_change|compaction|custom|custom_message|leaf|reset)$/

/** A transcript of OpenClaw outside of its roots. */
export const given: GivenFile = {
  isOwn: ({ type }) => typeof type === 'string' && TYPES.test(type),
  // No other client compresses transcripts.
  isOwnName: (name) => name.endsWith('.zst'),
  facts(path) {
    const name = basename(path)
    const state = name.includes('.deleted.')
      ? 'deleted'
      : name.includes('.reset.')
        ? 'reset'
        : name.includes('.imported-')
          ? 'archived'
          : 'live'
    return { agent: /[/\\]agents[/\\]([^/\\]+)[/\\]/.exec(path)?.[1] ?? openclawIdentity.defaultAgent, state }
  },
}
