import { type Dirent, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import json5 from 'json5'
import { directoryOrHome, fileInside, isFolderInside, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { readSmall } from '../../io/source.ts'
import type { Artifact, Environment, Notice, Refusal, Root } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import { memoryDocument, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { GivenFile } from '../platform.ts'
import { transcriptName } from './file-names.ts'
import { openclawIdentity } from './identity.ts'

/** The product was renamed twice. Its migrations left the old directory, or a link to the new one. */
const LEGACY = ['.clawdbot', '.moltbot', '.moldbot']

/**
 * The state directories of OpenClaw, without duplicates. Checks all that exist, not only the one the client
 * would use today, because a renamed home, a profile or an old version may each contain part of the history.
 */
export const roots = (environment: Environment): Root[] =>
  rootsAt(openclawIdentity.id, candidates(environment))

function candidates(environment: Environment): [path: string, reason: string][] {
  const given = environment.dirs?.openclaw
  if (given) return given.map((path) => [directoryOrHome(path, '.openclaw', hasAgents), '--openclaw-dir'])
  const list: [path: string, reason: string][] = []
  const home = withHome(environment.variables.OPENCLAW_HOME?.trim() || environment.home, environment.home)
  for (const name of ['OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR']) {
    const given = environment.variables[name]?.trim()
    if (given) list.push([withHome(given, home), name])
  }
  list.push([join(home, '.openclaw'), 'default'])
  for (const name of profiles(home)) list.push([join(home, name), 'profile'])
  for (const name of LEGACY) if (existsSync(join(home, name))) list.push([join(home, name), 'legacy name'])
  return list
}

const hasAgents = (path: string): boolean => existsSync(join(path, 'agents'))

const profiles = (home: string): string[] =>
  listDirectory(home)
    .entries.filter(
      (entry) => entry.name.startsWith('.openclaw-') && (entry.isDirectory() || entry.isSymbolicLink()),
    )
    .map((entry) => entry.name)
    .sort()

/** What is never opened in a state directory, with the reason. Only the allow-list is opened anyway. */
const NEVER: Reasons = [
  [/^(?:openclaw|clawdbot|moltbot|moldbot)\.json(?:\.bak.*)?$/, 'configuration with keys'],
  [/^(?:\.env|secrets\.json)$/, 'keys'],
  [/^(?:credentials|identity|devices|nodes|mcp-oauth)$/, 'keys of accounts and devices'],
  [/^exec-approvals\.json$/, 'a token'],
  [/^(?:telegram|whatsapp|signal|discord|slack)$/, 'the state of a channel with its keys'],
  [/^(?:browser|sandboxes)$/, 'profiles and cookies'],
  [/^(?:hooks|logs)$/, 'may contain tokens'],
  [/^(?:media|canvas|cache|extensions|skills)$/, 'contain no messages'],
]
const NEVER_OF_AGENT: Reasons = [
  [/^(?:auth-profiles|auth|models)\.json/, 'keys of model providers'],
  [/^codex-home$/, 'keys of another program'],
]
/** Files next to transcripts that repeat them or are not transcripts. */
const BESIDE: Reasons = [
  [/\.checkpoint\.[0-9a-f-]+\.jsonl$/, 'a copy made before a compaction: it repeats its session'],
  [/\.jsonl\.bak/, 'a copy: it repeats its session'],
  [/\.(?:trajectory|acp-stream)\.jsonl$/, 'a trace of the program, not a transcript'],
]

/** The files and folders of a root that exist but are never opened. */
export function refused(root: Root): Refusal[] {
  const found = refusedIn(root.path, NEVER)
  const agents = join(root.path, 'agents')
  for (const { name } of listDirectory(agents).entries) {
    append(found, refusedIn(join(agents, name, 'agent'), NEVER_OF_AGENT))
    const sessions = join(agents, name, 'sessions')
    for (const { path, reason } of refusedIn(sessions, BESIDE))
      if (!transcriptName(path.slice(sessions.length + 1))) found.push({ path, reason, spare: true })
    for (const { name: file } of listDirectory(sessions).entries)
      if (transcriptName(file)?.state === 'deleted')
        found.push({ path: join(sessions, file), reason: 'deleted; --deleted reads it', spare: true })
  }
  return found
}

/** Instructions and memory of an agent: the only files of a workspace that are opened. */
const NAMES = /^(?:MEMORY|memory|SOUL|IDENTITY|USER|AGENTS|TOOLS|HEARTBEAT|BOOT|BOOTSTRAP)\.md$/
const NOTE = /^[^./][^/]*\.md$/
const WORKSPACE = /^workspace(?:-([^/]+))?$/

/** Whether a name below a workspace is a memory document. */
export const isDocumentName = (name: string): boolean =>
  NAMES.test(name) || (name.startsWith('memory/') && NOTE.test(name.slice(7)))

/** The memory documents in the workspace of every agent. */
export function documents(root: Root, { variables }: Environment): Artifact[] {
  const found: Artifact[] = []
  for (const entry of listDirectory(root.path).entries) {
    const [whole, agent = 'main'] = WORKSPACE.exec(entry.name) ?? []
    const path = join(root.path, entry.name)
    if (whole !== undefined && isFolderInside(root.path, path, entry, (target) => WORKSPACE.test(target)))
      workspace(agent, path)
  }
  const given = variables.OPENCLAW_WORKSPACE_DIR?.trim()
  if (given && root.reason === 'default') workspace('main', given)
  return found

  function workspace(agent: string, folder: string): void {
    for (const entry of listDirectory(folder).entries) {
      if (NAMES.test(entry.name)) add(agent, folder, entry.name)
      if (entry.name !== 'memory') continue
      const notes = join(folder, entry.name)
      if (!isFolderInside(folder, notes, entry, NO_LINKS)) continue
      for (const { name } of listDirectory(notes).entries)
        if (NOTE.test(name)) add(agent, folder, `memory/${name}`)
    }
  }

  function add(agent: string, folder: string, name: string): void {
    const path = join(folder, name)
    const stats = fileInside(folder, path, isDocumentName)
    if (stats && !found.some((each) => each.path === path))
      found.push(memoryDocument(root, path, stats, { sessionId: name, agent }))
  }
}

/** Types of record that only OpenClaw writes. */
const TYPES =
  /^(?:session|message|model_change|thinking_level_change|compaction|custom|custom_message|leaf|reset)$/

/** A transcript of OpenClaw outside of its roots. */
export const given: GivenFile = {
  isOwn: ({ type }) => typeof type === 'string' && TYPES.test(type),
  isOwnName: (name) => /^[0-9a-f]{64}\.jsonl\.zst$|\.jsonl\.(?:reset|deleted)\.[^/]*\.zst$/i.test(name),
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

/** Larger files are not OpenClaw's: skill snapshots make a session index a megabyte or more. */
const LARGEST = 64 * 1024 * 1024

/**
 * The value of a small file. OpenClaw reads its files as JSON5, so comments and trailing commas are valid.
 * Throws file system errors, or a SyntaxError.
 */
export function readJson(path: string): unknown {
  const content = readSmall(path, LARGEST)
  if (!content) throw new Error(`larger than ${LARGEST} bytes`)
  const text = content.toString('utf8').replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    return json5.parse(text)
  }
}

/** Lists folders. What cannot be read becomes a notice. */
export function createLister() {
  const notices: Notice[] = []
  const notice = (path: string, message: string): void =>
    void notices.push({ platform: openclawIdentity.id, path, message })
  function list(path: string): Dirent[] {
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT' && error !== 'ENOTDIR' && !notices.some((each) => each.path === path))
      notice(path, `cannot be listed (${error})`)
    return entries
  }
  return { notices, notice, list }
}

/** Whether a folder with this name is among the entries of another one. */
export function hasFolder(directory: string, entries: readonly Dirent[], name: string): boolean {
  const entry = entries.find((each) => each.name === name)
  return entry !== undefined && isFolderInside(directory, join(directory, name), entry, NO_LINKS)
}
