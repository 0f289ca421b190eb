import { basename, dirname, join } from 'node:path'
import { fileInside, isFolder, NO_LINKS } from '../../io/directories.ts'
import { companionText } from '../../io/source.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { asObject, asText, asTime, type JsonObject, parsedJson } from '../../model/json.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
import { kimiCodeIdentity } from './identity.ts'

const { id: platform, defaultAgent: agent, folder } = kimiCodeIdentity

/** The folder of Kimi Code. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map((path) => [isFolder(join(path, folder)) ? join(path, folder) : path, '--kimi-dir'] as const),
    )
  const own = variables.KIMI_CODE_HOME?.trim()
  return rootsAt(
    platform,
    own ? [[withHome(own, home), 'KIMI_CODE_HOME']] : [[join(home, folder), 'default']],
  )
}

const NEVER: Reasons = [
  [/^config\.toml/, 'settings, which may contain keys'],
  [/^(?:credentials|oauth)$/, 'keys of your accounts'],
  [/^device_id$/, 'identifies your installation'],
  [/^(?:mcp\.json|tui\.toml)$/, 'settings, which may contain keys'],
  [/^logs?$/, 'logs that may contain tokens'],
  [/^(?:file-history|cache|bin|updates)$/, 'contain no messages'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

const SESSION = /^session_[\w-]+$/
/** The name of the agent that is the session. */
export const MAIN = 'main'
const WIRE = 'wire.jsonl'
/** A small file next to the agents of a session. */
const STATE = 'state.json'

/**
 * The allow-list: `sessions/<directory>/<session>/agents/<agent>/wire.jsonl`. The agent `main` is the
 * session, the others are its subagents.
 */
export function discover(from: Root, environment: Environment): Found {
  const { found, list, folders, add } = finderIn(from, environment)
  const sessions = join(from.path, 'sessions')
  for (const directory of folders(sessions))
    for (const session of folders(join(sessions, directory))) {
      if (!SESSION.test(session)) continue
      const own = join(sessions, directory, session)
      const besideMs = fileInside(own, join(own, STATE), NO_LINKS)?.mtimeMs
      for (const name of folders(join(own, 'agents')))
        for (const file of list(join(own, 'agents', name)))
          if (file.name === WIRE)
            add(join(own, 'agents', name), WIRE, {
              agent,
              besideMs,
              ...(name === MAIN
                ? { sessionId: session }
                : {
                    // Many sessions have subagents of one name.
                    sessionId: `${name}.${session}`,
                    kindHint: 'subagent' as const,
                    parentSessionId: session,
                  }),
            })
    }
  return found
}

/** Larger files are not the client's. */
const LARGEST = 4 * 1024 * 1024

/** What the client says of a session in a file next to it. */
function stateOf(session: string): JsonObject | undefined {
  const path = join(session, STATE)
  if (!fileInside(session, path, NO_LINKS)) return undefined
  return asObject(parsedJson(companionText(path, LARGEST)))
}

/** Whether a person or a model made the title. Any other repeats the first words, or an id. */
const isChosen = ({ isCustomTitle, titleKind }: JsonObject): boolean =>
  isCustomTitle === true || titleKind === 'generated'

/** Adds the directory and the title of a session, and of a fork its original and when it was made. */
export function describe(artifact: Artifact): Artifact {
  const own = dirname(artifact.path)
  const state = stateOf(dirname(dirname(own)))
  const directory = asText(state?.cwd)
  const described = { ...artifact, ...(directory !== undefined && { directory }) }
  if (artifact.kindHint === 'subagent') {
    const labels = asObject(asObject(asObject(state?.agents)?.[basename(own)])?.labels)
    const type = asText(labels?.profileName)
    return { ...described, ...(type !== undefined && { subagent: { type } }) }
  }
  const title = asText(state?.title)
  const original = asText(state?.forkedFrom)
  const begun = asTime(state?.createdAt)
  const titled: Artifact = {
    ...described,
    ...(title !== undefined && { titleHint: title, titleHintByHand: isChosen(state!) }),
  }
  if (original === undefined) return titled
  return { ...titled, parentSessionId: original, ...(begun !== undefined && { copiedUntilMs: begun }) }
}

/** A transcript outside of the roots. */
export const given: GivenFile = {
  isOwn: ({ type, protocol_version }) => type === 'metadata' && protocol_version !== undefined,
  isOwnName: (name) => name === WIRE,
  facts: (path) => ({
    agent,
    state: 'live',
    ...(basename(dirname(path)).startsWith('agent-') && { kindHint: 'subagent' as const }),
  }),
}
