import { createHash } from 'node:crypto'
import { type Dirent, existsSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileInside, identityOf, isFile, isLink, listDirectory, NO_LINKS } from '../../io/directories.ts'
import {
  type Artifact,
  copiedName,
  type Environment,
  type Notice,
  type Root,
  type SideQuestion,
  type Unread,
} from '../../model/artifact.ts'
import { asText } from '../../model/json.ts'
import { type Reasons, reasonIn } from '../folders.ts'
import type { ArtifactColumns, Found } from '../platform.ts'
import { sideQuestions } from './prompt-history.ts'
import { hasWorkflowRecord, readJson, workflowStep } from './small-files.ts'

const JOBS = 'jobs'
/** A job's id is this many characters of its session id. */
const JOB_ID = 8
/** Files in a transcript's companion folder that describe the session. */
const TITLE = 'custom-title.json'
const ARCHIVED = 'archived.json'
const META = '.meta.json'
const BESIDE: readonly string[] = [TITLE, ARCHIVED]

/** The allow-list of Claude Code: every transcript in the three layouts of its versions. */
export function discover(root: Root, environment?: Pick<Environment, 'backups'>): Found {
  const transcripts = createTranscripts(root.path)
  const unread: Unread[] = []
  const notices: Notice[] = []
  const projects = projectsOf(root)
  if (leaves(root.path, projects)) {
    const message =
      'is a link that leads out of this directory and was not followed; name its target with --claude-dir'
    return { artifacts: [], unread, notices: [{ platform: 'claude-code', path: projects, message }] }
  }
  /** When the small files next to transcripts changed, by path of the transcript. */
  const sidecarTimes = new Map<string, number>()
  for (const entry of list(projects)) {
    const path = join(projects, entry.name)
    if (enters(path, entry)) project(entry.name, path)
  }
  const asked = sideQuestions(root.path)
  const jobs = new Set(listDirectory(join(root.path, JOBS)).entries.map(({ name }) => name))
  const columns: ArtifactColumns = {
    count: transcripts.count,
    digest: () =>
      transcripts.digest(
        JSON.stringify([
          [...sidecarTimes],
          Array.from(asked, ([id, all]) => [id, all.at(-1)?.at]),
          [...jobs],
        ]),
      ),
    at(index) {
      const artifact = transcripts.at(index)
      if (sidecarTimes.size > 0 || asked.size > 0)
        artifact.besideMs = lastSidecarChange(artifact) ?? artifact.besideMs
      // The record of a job may be written later than the transcript.
      if (jobs.has(artifact.sessionId.slice(0, JOB_ID))) artifact.besideMs = (artifact.besideMs ?? 0) + 1
      return artifact
    },
  }
  return {
    notices,
    unread,
    columns,
    get artifacts() {
      return Array.from({ length: columns.count() }, (_, index) => columns.at(index))
    },
  }

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
    if (!existsSync(path)) notice(path, 'is a link that leads nowhere')
    else if (!isSecondName(projects, path))
      notice(path, `is a link that leads elsewhere and was not followed; ${wayOutOf(path)}`)
    return false
  }

  /** How to read what a link leads to. */
  function wayOutOf(path: string): string {
    const target = realOf(path)
    if (isFile(target)) return `to read what is there: scrollback read ${target}`
    // A folder of projects can be named, but not a part of a project.
    return dirname(path) === projects
      ? `to read what is there: --claude-dir ${dirname(target)}`
      : 'make it a directory'
  }

  function notice(path: string, message: string): void {
    notices.push({ platform: 'claude-code', path, message })
  }

  function enters(path: string, entry: Dirent): boolean {
    if (entry.isSymbolicLink()) return skipLink(path)
    return entry.isDirectory()
  }

  function list(path: string) {
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT') notice(path, `cannot be listed (${error})`)
    return entries
  }

  function project(slug: string, folder: string): void {
    const add = transcripts.folder({ path: folder, slug })
    const companions: string[] = []
    for (const entry of list(folder)) {
      // `join` would be too slow for one call per file.
      const path = `${folder}${sep}${entry.name}`
      if (isTranscriptName(entry.name)) check(path, entry, add)
      else if (entry.isFile()) other(path, entry, add)
      else if (entry.name !== 'memory' && enters(path, entry)) companions.push(path)
    }
    for (const path of companions) companion(slug, path)
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
    const entries = list(folder)
    const described = new Set(
      entries.flatMap(({ name }) => (name.endsWith(META) ? [name.slice(0, -META.length)] : [])),
    )
    const hasSteps = hasWorkflowRecord(folder)
    const add = transcripts.folder({ path: folder, slug, parentSessionId, described, hasSteps })
    const inside: string[] = []
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (isSubagentName(entry.name)) check(path, entry, add)
      else if (enters(path, entry)) inside.push(path)
    }
    for (const path of inside) nested(slug, path, parentSessionId)
  }

  /** Handles a file next to transcripts: a copy, or not a transcript. */
  function other(path: string, entry: Dirent, add: Add): void {
    const isCopy = copiedName(entry.name) !== undefined
    if (isCopy && environment?.backups) check(path, entry, add)
    else
      unread.push({
        path,
        ...(isCopy
          ? { reason: 'a copy of a transcript', copy: true }
          : { reason: reasonIn(BY_PRODUCTS, entry.name) ?? 'not a file that this version knows' }),
      })
  }

  function check(path: string, entry: Dirent, add: Add): void {
    const stats = entry.isSymbolicLink() ? skipLink(path) : fileInside(projects, path, NO_LINKS)
    if (stats) add(entry.name, stats)
  }
}

type Add = (name: string, stats: Stats) => void

/** By-products of the client and other programs next to transcripts, which contain no messages. */
const BY_PRODUCTS: Reasons = [
  [/^sessions-index\.json$/, 'a session index of older clients, which repeats the transcripts'],
  [/\.jsonl\.compact\.tmp\.|[._]tmp(?:\.|$)|\.part$/, 'an unfinished file'],
  [/\.precompact\.json$/, 'a copy made before a compaction'],
  [/\.cast$/, 'a recording of the screen'],
  [/\.(?:gz|bz2|xz|zip|tar|tgz)$/, 'compressed in a format that is not read'],
]

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
    const meta = readJson(`${stem}${META}`)
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
  const fork = forkOf(artifact)
  if (!title && !archived && asked.length === 0 && !fork) return artifact
  return {
    ...artifact,
    ...fork,
    ...(title || archived
      ? { titleHint: title, titleHintByHand: true, state: archived ? 'archived' : artifact.state }
      : {}),
    ...(asked.length > 0 ? { sideQuestions: asked } : {}),
  }
}

/** The parent of a background session, which only the record of its job contains. */
function forkOf({ root, sessionId }: Artifact): Pick<Artifact, 'parentSessionId'> | undefined {
  const job = readJson(join(root, JOBS, sessionId.slice(0, JOB_ID), 'state.json'))
  const parentSessionId = job?.forkSessionId === sessionId ? asText(job.forkParentSessionId) : undefined
  return parentSessionId === undefined ? undefined : { parentSessionId }
}

/** Side questions of versions that keep no transcript of them. Other versions keep one per question. */
function ownQuestions({ root, sessionId }: Artifact, stem: string): readonly SideQuestion[] {
  const asked = sideQuestions(root).get(sessionId) ?? []
  if (asked.length === 0) return asked
  const transcripts = listDirectory(join(stem, 'subagents')).entries.filter(
    ({ name }) => isSubagentName(name) && forkLabel(name.slice(0, -'.jsonl'.length)) === 'side_question',
  )
  return asked.slice(transcripts.length)
}

const EXTENSION = '.jsonl'
/** `agent-<hex>.jsonl`, or `agent-a<label>-<hex>.jsonl` for the client's own forks. */
const FORK = /^agent-a([a-z_]+)-[0-9a-f]+$/
const SUBAGENT = /^agent-.+\.jsonl$/

const isTranscriptName = (name: string): boolean => name.endsWith(EXTENSION) && copiedName(name) === undefined
const isSubagentName = (name: string): boolean => SUBAGENT.test(name)
/** The client's label of an internal fork, from the name of its file without the extension. */
const forkLabel = (stem: string): string | undefined => FORK.exec(stem)?.[1]

/** A folder with transcripts. */
interface Folder {
  path: string
  slug: string
  /** The session whose subagents it contains. */
  parentSessionId?: string
  /** The names without extension of transcripts with a description beside them. */
  described?: ReadonlySet<string>
  /** Whether a record names the steps of the workflow that they ran. */
  hasSteps?: boolean
}

/** Numbers of a transcript: its folder, size, modification time, device and inode. */
const NUMBERS = 5

/**
 * Transcripts below a root, as columns. Most refreshes find nothing new and only need a hash, and creating an
 * object for each of 100,000 files takes a third of the time in which they are checked.
 */
function createTranscripts(root: string) {
  const folders: Folder[] = []
  const names: string[] = []
  const numbers: number[] = []
  return {
    /** Begins a folder. Returns a function that adds one of its transcripts. */
    folder(found: Folder): Add {
      const own = folders.push(found) - 1
      return (name, { size, mtimeMs, dev, ino }) => {
        names.push(name)
        numbers.push(own, size, mtimeMs, dev, ino)
      }
    },
    count: (): number => names.length,
    /** Creates one of them. */
    at(index: number): Artifact {
      const name = names[index]!
      const [own, bytes, modifiedMs, dev, ino] = numbers.slice(index * NUMBERS, (index + 1) * NUMBERS)
      const { path: folder, slug, parentSessionId, described, hasSteps } = folders[own!]!
      // Joining makes one string. A template would refer to its parts, which take twice the memory.
      const path = [folder, name].join(sep)
      const copied = copiedName(name)
      const isSubagent = isSubagentName(copied === undefined ? name : `${copied}${EXTENSION}`)
      // A part of the path, which takes less memory than a copy.
      const sessionId = copied ?? path.slice(-name.length, -EXTENSION.length)
      return {
        platform: 'claude-code',
        root,
        path,
        kind: 'transcript',
        state: copied === undefined ? 'live' : 'backup',
        sessionId,
        agent: 'claude',
        slug,
        bytes: bytes!,
        modifiedMs: modifiedMs!,
        identity: identityOf({ dev: dev!, ino: ino! }),
        fork: isSubagent && copied === undefined ? forkLabel(sessionId) : undefined,
        // A description may be written later than the transcript, and so may the record of a workflow.
        ...((described?.has(sessionId) || hasSteps) && {
          besideMs: Number(described?.has(sessionId) ?? false) + 2 * Number(hasSteps ?? false),
        }),
        ...(isSubagent && { kindHint: 'subagent' as const }),
        ...(parentSessionId !== undefined && { parentSessionId }),
      }
    },
    /** A hash of everything that the artifacts are made from, and of `more`. */
    digest: (more: string): string =>
      createHash('sha256')
        .update(
          JSON.stringify([
            more,
            names,
            folders.map(({ path, described = [], hasSteps }) => [path, hasSteps, ...described]),
          ]),
        )
        .update(new Uint8Array(Float64Array.from(numbers).buffer))
        .digest('hex'),
  }
}
