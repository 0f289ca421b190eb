import type { PathMap, Restoring } from '../platform.ts'
import { mappedPath, uuidOf } from '../rewriting.ts'

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

const LONGEST = 200

/** The folder of a working directory below `projects`, as clients name it since 2.1.112. */
export function slugOf(path: string): string {
  const slug = path.replace(/[^a-zA-Z0-9]/g, '-')
  if (slug.length <= LONGEST) return slug
  let hash = 0
  for (let at = 0; at < path.length; at++) hash = ((hash << 5) - hash + path.charCodeAt(at)) | 0
  return `${slug.slice(0, LONGEST)}-${Math.abs(hash).toString(36)}`
}

/** Whether a folder is that of a directory. Builds differ in the hash of a long path. */
const isSlugOf = (slug: string, path: string): boolean => {
  const own = slugOf(path)
  return slug === own || (own.length > LONGEST && slug.startsWith(`${own.slice(0, LONGEST)}-`))
}

/**
 * The folder of sessions when directories have other paths. `own`: the directory that they ran in. A session
 * that changed its directory is in the folder of the one in which it began, whose name alone is known.
 */
export function mappedSlug(
  slug: string,
  own: string | undefined,
  maps: readonly PathMap[],
  mapped: (path: string) => string | undefined,
): string {
  const target = own === undefined ? undefined : mapped(own)
  if (own !== undefined && target !== undefined && isSlugOf(slug, own)) return slugOf(target)
  const map = maps.find(({ from }) => isSlugOf(slug, from))
  if (map) return slugOf(map.to)
  const above = maps.find(({ from }) => slug.startsWith(`${slugOf(from)}-`))
  if (above && target !== undefined) return slugOf(above.to) + slug.slice(slugOf(above.from).length)
  return slug
}
