import { join } from 'node:path'
import { listDirectory } from '../../io/directories.ts'
import type { Refusal, Root } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import { transcriptName } from './file-names.ts'

/** What is never opened in a state directory, with the reason. Only the allow-list is opened anyway. */
const NEVER: readonly [name: RegExp, reason: string][] = [
  [/^(?:openclaw|clawdbot|moltbot|moldbot)\.json(?:\.bak.*)?$/, 'configuration with keys'],
  [/^(?:\.env|secrets\.json)$/, 'keys'],
  [/^(?:credentials|identity|devices|nodes|mcp-oauth)$/, 'keys of accounts and devices'],
  [/^exec-approvals\.json$/, 'a token'],
  [/^(?:telegram|whatsapp|signal|discord|slack)$/, 'the state of a channel with its keys'],
  [/^(?:browser|sandboxes)$/, 'profiles and cookies'],
  [/^(?:hooks|logs)$/, 'may contain tokens'],
  [/^(?:media|canvas|cache|extensions|skills)$/, 'contain no messages'],
]
const NEVER_OF_AGENT: readonly [name: RegExp, reason: string][] = [
  [/^(?:auth-profiles|auth|models)\.json/, 'keys of model providers'],
  [/^codex-home$/, 'keys of another program'],
]
/** Files next to transcripts that repeat them or are not transcripts. */
const BESIDE: readonly [name: RegExp, reason: string][] = [
  [/\.checkpoint\.[0-9a-f-]+\.jsonl$/, 'a copy made before a compaction: it repeats its session'],
  [/\.jsonl\.bak/, 'a copy: it repeats its session'],
  [/\.(?:trajectory|acp-stream)\.jsonl$/, 'a trace of the program, not a transcript'],
]

/** The files and folders of a root that exist but are never opened. */
export function refused(root: Root): Refusal[] {
  const found = matching(root.path, NEVER)
  const agents = join(root.path, 'agents')
  for (const { name } of listDirectory(agents).entries) {
    append(found, matching(join(agents, name, 'agent'), NEVER_OF_AGENT))
    const sessions = join(agents, name, 'sessions')
    for (const { path, reason } of matching(sessions, BESIDE))
      if (!transcriptName(path.slice(sessions.length + 1))) found.push({ path, reason, spare: true })
    for (const { name: file } of listDirectory(sessions).entries)
      if (transcriptName(file)?.state === 'deleted')
        found.push({ path: join(sessions, file), reason: 'deleted; --deleted reads it', spare: true })
  }
  return found
}

const matching = (folder: string, table: typeof NEVER): Refusal[] =>
  listDirectory(folder).entries.flatMap(({ name }) => {
    const reason = table.find(([pattern]) => pattern.test(name))?.[1]
    return reason === undefined ? [] : { path: join(folder, name), reason }
  })
