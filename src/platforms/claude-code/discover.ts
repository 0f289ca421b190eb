import { type Dirent, existsSync, realpathSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { fileInside, identityOf, isLink, listDirectory, NO_LINKS } from '../../io/directories.ts'
import type { Artifact, Environment, Notice, Root, SideQuestion, Unread } from '../../model/artifact.ts'
import { copiedName } from '../../model/copy-name.ts'
import { asText } from '../../model/json.ts'
import { sideQuestions } from './side-questions.ts'
import { readJson } from './small-files.ts'
import { workflowStep } from './workflow-step.ts'

/** `agent-<hex>.jsonl`, or `agent-a<label>-<hex>.jsonl` for the client's own forks. */
const FORK = /^agent-a([a-z_]+)-[0-9a-f]+$/
const SUBAGENT = /^agent-.+\.jsonl$/
/** A job's id is this many characters of its session id. */
const JOB_ID = 8
/** Files in a transcript's companion folder that describe the session. */
const TITLE = 'custom-title.json'
const ARCHIVED = 'archived.json'
const BESIDE: readonly string[] = [TITLE, ARCHIVED]

/** The allow-list of Claude Code: every transcript in the three layouts of its versions. */
export function discover(
  root: Root,
  environment?: Pick<Environment, 'backups'>,
): { artifacts: Artifact[]; notices: Notice[]; unread: Unread[] } {
  const artifacts: Artifact[] = []
  const unread: Unread[] = []
  const notices: Notice[] = []
  const projects = projectsOf(root)
  if (leaves(root.path, projects)) {
    const message =
      'is a link that leads out of this directory and was not followed; name its target with --claude-dir'
    return { artifacts, unread, notices: [{ platform: 'claude-code', path: projects, message }] }
  }
  /** When the small files next to transcripts changed, by path of the transcript. */
  const sidecarTimes = new Map<string, number>()
  for (const entry of list(projects)) {
    const path = join(projects, entry.name)
    if (enters(path, entry)) project(entry.name, path)
  }
  const asked = sideQuestions(root.path)
  if (sidecarTimes.size > 0 || asked.size > 0)
    for (const artifact of artifacts) artifact.besideMs = lastSidecarChange(artifact)
  return { artifacts, notices, unread }

  /** The latest change of the small files that describe the session. */
  function lastSidecarChange({ path, sessionId, kindHint }: Artifact): number | undefined {
    const last = kindHint === 'subagent' ? undefined : asked.get(sessionId)?.at(-1)?.at
    const changed = sidecarTimes.get(path)
    return changed === undefined ? last : Math.max(changed, last ?? 0)
  }

  /**
   * Symbolic links are not followed. A target below `projects` is listed there; anything else is reported as
   * unread.
   */
  function skipLink(path: string): false {
    if (!existsSync(path) || !isSecondName(projects, path))
      notices.push({
        platform: 'claude-code',
        path,
        message: 'is a link that leads elsewhere and was not followed',
      })
    return false
  }

  function enters(path: string, entry: Dirent): boolean {
    if (entry.isSymbolicLink()) return skipLink(path)
    return entry.isDirectory()
  }

  function list(path: string) {
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT')
      notices.push({ platform: 'claude-code', path, message: `cannot be listed (${error})` })
    return entries
  }

  function project(slug: string, folder: string): void {
    for (const entry of list(folder)) {
      // `join` would be too slow for one call per file.
      const path = `${folder}${sep}${entry.name}`
      if (entry.name.endsWith('.jsonl'))
        add(slug, path, entry, SUBAGENT.test(entry.name) ? { kindHint: 'subagent' } : undefined)
      else if (entry.isFile()) other(slug, path, entry)
      else if (entry.name !== 'memory' && enters(path, entry)) companion(slug, path)
    }
  }

  /** Lists `<sessionId>/`, the folder next to a transcript. */
  function companion(slug: string, folder: string): void {
    const subagents = join(folder, 'subagents')
    for (const entry of list(folder)) {
      if (entry.name === 'subagents' && enters(subagents, entry)) nested(slug, subagents, basename(folder))
      if (!BESIDE.includes(entry.name)) continue
      const changed = fileInside(folder, join(folder, entry.name), NO_LINKS)?.mtimeMs ?? 0
      const transcript = `${folder}.jsonl`
      sidecarTimes.set(transcript, Math.max(changed, sidecarTimes.get(transcript) ?? 0))
    }
  }

  function nested(slug: string, folder: string, parentSessionId: string): void {
    for (const entry of list(folder)) {
      const path = join(folder, entry.name)
      if (SUBAGENT.test(entry.name)) add(slug, path, entry, { kindHint: 'subagent', parentSessionId })
      else if (enters(path, entry)) nested(slug, path, parentSessionId)
    }
  }

  /** Handles a file next to transcripts: a copy, or not a transcript. */
  function other(slug: string, path: string, entry: Dirent): void {
    const stem = copiedName(entry.name)
    if (stem !== undefined && environment?.backups)
      add(slug, path, entry, {
        state: 'backup',
        sessionId: stem,
        ...(SUBAGENT.test(`${stem}.jsonl`) && { kindHint: 'subagent' }),
      })
    else
      unread.push({
        path,
        ...(stem === undefined
          ? { reason: reasonFor(entry.name) }
          : { reason: 'a copy of a transcript', copy: true }),
      })
  }

  function add(slug: string, path: string, entry: Dirent, facts?: Partial<Artifact>): void {
    const stats = entry.isSymbolicLink() ? skipLink(path) : fileInside(projects, path, NO_LINKS)
    if (!stats) return
    // A part of the path, which is in memory anyway, unlike the entry.
    const sessionId = path.slice(-entry.name.length, -'.jsonl'.length)
    artifacts.push({
      platform: 'claude-code',
      root: root.path,
      path,
      kind: 'transcript',
      state: 'live',
      sessionId,
      agent: 'claude',
      slug,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
      fork: facts && FORK.exec(sessionId)?.[1],
      ...facts,
    })
  }
}

/** By-products of the client and other programs next to transcripts, which contain no messages. */
const BY_PRODUCTS: readonly [name: RegExp, reason: string][] = [
  [/^sessions-index\.json$/, 'a session index of older clients, which repeats the transcripts'],
  [/\.jsonl\.compact\.tmp\.|[._]tmp(?:\.|$)|\.part$/, 'an unfinished file'],
  [/\.precompact\.json$/, 'a copy made before a compaction'],
  [/\.cast$/, 'a recording of the screen'],
  [/\.(?:gz|bz2|xz|zip|tar|tgz)$/, 'compressed in a format that is not read'],
]

const reasonFor = (name: string): string =>
  BY_PRODUCTS.find(([known]) => known.test(name))?.[1] ?? 'not a file that this version knows'

/** `<root>/projects`, or the root itself if it was given as that folder. */
function projectsOf(root: Root): string {
  const projects = join(root.path, 'projects')
  return root.reason === '--claude-dir' && !existsSync(projects) ? root.path : projects
}

const leaves = (root: string, path: string): boolean =>
  isLink(path) && !`${realOf(path)}${sep}`.startsWith(realOf(root) + sep)

/** Whether a symbolic link leads to a path below `projects`, which is listed there under its own name. */
const isSecondName = (projects: string, path: string): boolean =>
  `${realOf(path)}${sep}`.startsWith(realOf(projects) + sep)

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Reads the small files next to a transcript: the task of a subagent, a title, whether it was archived. */
export function describe(artifact: Artifact): Artifact {
  const stem = artifact.path.slice(0, -'.jsonl'.length)
  if (artifact.kindHint === 'subagent') {
    const meta = readJson(`${stem}.meta.json`)
    const step = workflowStep(stem)
    if (!meta && !step) return artifact
    const description = asText(meta?.description) ?? step
    return {
      ...artifact,
      parentCallId: asText(meta?.toolUseId),
      subagent: { type: asText(meta?.agentType), description },
      ...(step ? { titleHint: step, titleHintByHand: true } : {}),
    }
  }
  const title = asText(readJson(join(stem, TITLE))?.customTitle)
  const archived = readJson(join(stem, ARCHIVED))?.archived === true
  const asked = ownQuestions(artifact, stem)
  const parentSessionId = artifact.parentSessionId ?? forkedFrom(artifact)
  if (!title && !archived && asked.length === 0 && !parentSessionId) return artifact
  return {
    ...artifact,
    parentSessionId,
    ...(title || archived
      ? { titleHint: title, titleHintByHand: true, state: archived ? 'archived' : artifact.state }
      : {}),
    ...(asked.length > 0 ? { sideQuestions: asked } : {}),
  }
}

/** The parent of a forked background session, which only the record of its job contains. */
function forkedFrom({ root, sessionId }: Artifact): string | undefined {
  const job = readJson(join(root, 'jobs', sessionId.slice(0, JOB_ID), 'state.json'))
  return job?.forkSessionId === sessionId ? asText(job.forkParentSessionId) : undefined
}

/** Side questions of versions that keep no transcript of them. Other versions keep one per question. */
function ownQuestions({ root, sessionId }: Artifact, stem: string): readonly SideQuestion[] {
  const asked = sideQuestions(root).get(sessionId) ?? []
  if (asked.length === 0) return asked
  const transcripts = listDirectory(join(stem, 'subagents')).entries.filter(
    ({ name }) => SUBAGENT.test(name) && FORK.exec(name.slice(0, -'.jsonl'.length))?.[1] === 'side_question',
  )
  return asked.slice(transcripts.length)
}
