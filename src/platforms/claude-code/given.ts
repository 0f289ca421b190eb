import { basename } from 'node:path'
import type { GivenFile } from '../platform.ts'

/** Types of record that only Claude Code writes. */
const TYPES = /^(?:user|assistant|system|summary|progress|attachment|queue-operation|file-history-snapshot)$/
const FORK = /^agent-a([a-z_]+)-[0-9a-f]+\.jsonl$/

/** A transcript of Claude Code outside of its roots. */
export const given: GivenFile = {
  isOwn: ({ type }) => typeof type === 'string' && TYPES.test(type),
  facts(path) {
    const name = basename(path)
    const subagent = name.startsWith('agent-')
      ? { kindHint: 'subagent' as const, fork: FORK.exec(name)?.[1] }
      : {}
    return { agent: 'claude', state: 'live', ...subagent }
  },
}
