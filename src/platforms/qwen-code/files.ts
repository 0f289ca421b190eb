import { basename, dirname, join } from 'node:path'
import { fileInside, isFolder, isPlainFolder, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { companionText } from '../../io/source.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { asObject, asText, parsedJson } from '../../model/json.ts'
import { runStatus } from '../../model/subagent-run.ts'
import { finderIn, memoryDocument, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
import { qwenCodeIdentity } from './identity.ts'

const { id: platform, defaultAgent: agent, folder } = qwenCodeIdentity

/** The folder of Qwen Code, and the one that a variable names for sessions alone. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map((path) => [isFolder(join(path, folder)) ? join(path, folder) : path, '--qwen-dir'] as const),
    )
  const [own, sessions] = ['QWEN_HOME', 'QWEN_RUNTIME_DIR'].map((name) => variables[name]?.trim())
  return rootsAt(platform, [
    own ? [withHome(own, home), 'QWEN_HOME'] : [join(home, folder), 'default'],
    ...(sessions ? [[withHome(sessions, home), 'QWEN_RUNTIME_DIR'] as const] : []),
  ])
}

const NEVER: Reasons = [
  [/^(?:oauth_creds|mcp-oauth-tokens.*)\.json/, 'keys of your accounts'],
  [/^\.env/, 'keys'],
  [/^settings\.json/, 'settings, which may contain keys'],
  [/^installation_id$/, 'identifies your installation'],
  [/^sessions$/, 'tokens of running clients'],
  [/^(?:file-history|history)$/, 'copies of whole files'],
  [/^(?:debug|logs?|tmp)$/, 'logs and outputs of tools'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

const SESSION = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl/i
const SUBAGENT = /^agent-([\w.-]+)\.jsonl$/

/**
 * The allow-list: sessions in `projects/<project>/chats/`, and those of subagents in
 * `projects/<project>/subagents/<session>/`. Several directories may share a project.
 */
export function discover(from: Root, environment: Environment): Found {
  const { found, list, folders, add } = finderIn(from, environment)
  const projects = join(from.path, 'projects')
  for (const project of folders(projects)) {
    const chats = join(projects, project, 'chats')
    for (const { name } of list(chats)) {
      const sessionId = SESSION.exec(name)?.[1]
      if (sessionId !== undefined) add(chats, name, { agent, sessionId })
    }
    const subagents = join(projects, project, 'subagents')
    for (const parentSessionId of folders(subagents))
      for (const { name } of list(join(subagents, parentSessionId))) {
        const sessionId = SUBAGENT.exec(name)?.[1]
        const own = join(subagents, parentSessionId)
        if (sessionId !== undefined)
          add(own, name, {
            agent,
            sessionId,
            // It may be written later than the transcript.
            besideMs: fileInside(own, besideOf(join(own, name)), NO_LINKS)?.mtimeMs,
            kindHint: 'subagent',
            parentSessionId,
          })
      }
  }
  return found
}

/** Larger files are not the client's. */
const LARGEST = 256 * 1024

/** The path of the file that describes a subagent. */
const besideOf = (transcript: string): string => transcript.replace(/\.jsonl$/, '.meta.json')

/** Adds what is beside a subagent. */
export function describe(artifact: Artifact): Artifact {
  if (artifact.kindHint !== 'subagent') return artifact
  const beside = besideOf(artifact.path)
  if (beside === artifact.path || !fileInside(dirname(beside), beside, NO_LINKS)) return artifact
  const meta = asObject(parsedJson(companionText(beside, LARGEST)))
  const [type, description] = [asText(meta?.agentType), asText(meta?.description)]
  const status = asText(meta?.status)
  return {
    ...artifact,
    parentCallId: asText(meta?.toolUseId),
    modelHint: asText(meta?.model),
    subagent: {
      ...(type !== undefined && { type }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status: runStatus(status) }),
    },
  }
}

/** What the agent remembers, of all projects and of each one. */
export function documents(root: Root): Artifact[] {
  const projects = join(root.path, 'projects')
  const ofProjects = isPlainFolder(projects)
    ? listDirectory(projects).entries.map(({ name }) => join(projects, name, 'memory'))
    : []
  return [join(root.path, 'memories'), ...ofProjects].flatMap((each) =>
    isPlainFolder(dirname(each)) && isPlainFolder(each) ? notesIn(root, each) : [],
  )
}

const notesIn = (root: Root, within: string): Artifact[] =>
  listDirectory(within).entries.flatMap(({ name }) => {
    const path = join(within, name)
    const stats = /^[^./][^/]*\.md$/.test(name) ? fileInside(within, path, NO_LINKS) : undefined
    return stats ? memoryDocument(root, path, stats, { sessionId: name, agent }) : []
  })

/** A transcript outside of the roots: the records of other clients have neither parts nor a provenance. */
export const given: GivenFile = {
  isOwn: ({ uuid, provenance, message }) =>
    uuid !== undefined && (provenance !== undefined || asObject(message)?.parts !== undefined),
  facts: (path) => ({
    agent,
    state: 'live',
    ...(SUBAGENT.test(basename(path)) && { kindHint: 'subagent' as const }),
  }),
}
