import type { Restoring } from '../platform.ts'
import { mappedPath, uuidOf } from '../rewriting.ts'
import { mappedSlug, slugOf } from './slug.ts'

/** `projects/<slug>/<session>.jsonl`, and no subagent. */
const SESSION = /^(projects\/[^/]+\/(?!agent-)[^/]+)\.jsonl$/
const IN_PROJECT = /^projects\/([^/]+)\/(.+)$/s

/** The members of records with paths of directories. */
export const DIRECTORIES = ['cwd', 'relocatedCwd', 'originalCwd', 'worktreePath'] as const

export const restoring: Restoring = {
  folder: (below) => SESSION.exec(below)?.[1],
  mapped(below, own, maps) {
    const [, slug, rest] = IN_PROJECT.exec(below) ?? []
    if (slug === undefined) return below
    return `projects/${mappedSlug(slug, own, maps, (path) => mappedPath(path, maps))}/${rest}`
  },
  directories: DIRECTORIES,
  condensed({ id, directory, model = 'condensed' }, messages) {
    let parentUuid: string | null = null
    const lines = messages.map(({ who, at, text }, index) => {
      const uuid = uuidOf(`${id} ${index}`)
      const line = {
        parentUuid,
        isSidechain: false,
        userType: 'external',
        cwd: directory,
        sessionId: id,
        version: '2.1.112',
        gitBranch: '',
        type: who === 'human' ? 'user' : 'assistant',
        message:
          who === 'human'
            ? { role: 'user', content: text }
            : {
                id: `msg_condensed_${index}`,
                type: 'message',
                role: 'assistant',
                model,
                content: [{ type: 'text', text }],
                stop_reason: 'end_turn',
                stop_sequence: null,
                usage: { input_tokens: 0, output_tokens: 0 },
              },
        uuid,
        timestamp: at,
      }
      parentUuid = uuid
      return line
    })
    return { below: `projects/${slugOf(directory)}/${id}.jsonl`, lines }
  },
}
