import { basename } from 'node:path'
import { createOwners, namesOneOf } from '../deliver/archive/record-owners.ts'
import { archiveFrames, envelopeOf, noFaults } from '../deliver/archive/records.ts'
import { hasUnnamed, isTyped, spokenIn } from '../deliver/archive/typed-prompts.ts'
import { ScrollbackError } from '../errors.ts'
import { type Artifact, forgottenKey, memoryName, OWN_MEMORY } from '../model/artifact.ts'
import type { Envelope } from '../model/delivery.ts'
import { shownName } from '../model/hidden.ts'
import { condensedFrom } from '../platforms/condensed.ts'
import { platforms } from '../platforms/index.ts'
import type { Known } from '../store/increment.ts'
import type { Store } from '../store/store.ts'
import type { StoredSession } from '../store/stored.ts'
import { runtimeIds } from './load-sessions.ts'
import { isNamed } from './session-names.ts'

/** A session by its platform and id. */
export interface SessionKey {
  platform: string
  session: string
  /** The id of the session that started it, or ran through it, if that one is chosen too. */
  parent?: string
}

/** What is to be forgotten, as it was given. */
export interface Wanted {
  ids: string[]
  projects: string[]
  devices: string[]
  persons: string[]
}

/** Where it is to be forgotten. */
interface Scope {
  archives: readonly string[]
  /** The person whose sessions the store of this machine has. Absent with a team store, which has many. */
  person?: string
}

/** The files and sessions that are meant. */
export interface Selection {
  files: Known[]
  sessions: Map<string, SessionKey>
}

/** Shorter beginnings of an id are too likely to mean another session. */
const SHORTEST = 4

/** Throws a `ScrollbackError` for what none of them knows, and for too short an id. */
export function wantedOf(targets: readonly string[], { archives, person }: Scope): Wanted {
  const wanted: Wanted = { ids: [], projects: [], devices: [], persons: [] }
  for (const target of targets) {
    const [, kind, name] = /^(project|device|person):(.+)$/s.exec(target) ?? []
    if (kind === 'project') wanted.projects.push(name!)
    else if (kind === 'device') wanted.devices.push(name!)
    else if (kind === 'person') wanted.persons.push(name!)
    else if (target.length < SHORTEST)
      throw new ScrollbackError(
        'bad-option',
        `"${target}" is too short to name a session`,
        `Give at least ${SHORTEST} characters of its id, or project:<name>.`,
      )
    else wanted.ids.push(target)
  }
  if (person !== undefined) checkKnown(wanted, archives, person)
  return wanted
}

/** The store of this machine has one device and one person, and archives know no persons. */
function checkKnown({ devices, persons }: Wanted, archives: readonly string[], person: string): void {
  if (devices.length > 0 && archives.length === 0)
    throw new ScrollbackError(
      'bad-option',
      `device:${devices[0]}: the store of this machine knows only this device`,
      'Name the archive too: --archive <dir>',
    )
  const other = persons.find((name) => name !== person)
  if (other !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `person:${other}: the store of this machine has only the sessions of ${person}`,
      'Name sessions or project:<name>, or the team store with --store.',
    )
  if (persons.length > 0 && archives.length > 0)
    throw new ScrollbackError(
      'bad-option',
      `person:${person}: the records of an archive do not say whose they are`,
      'For an archive, name device:<name> instead, in a command of its own.',
    )
}

interface IdNames {
  /** Whether an id is one that was named, or begins as one of the names does. */
  mayBe(id: string): boolean
  /** Of the ids that may be meant, those that are. Throws if a name is the beginning of several. */
  meant(sessions: Iterable<{ id: string; parent?: string | undefined }>): Set<string>
}

/** A whole id means that session only. What a session started is forgotten with it: no second meaning. */
const namesOf = (names: readonly string[]): IdNames => ({
  mayBe: (id) => names.some((name) => isNamed(id, name)),
  meant(sessions) {
    const all = [...sessions]
    const meant = new Set<string>()
    for (const name of names) {
      const begun = all.filter(({ id }) => isNamed(id, name))
      const exact = begun.filter(({ id }) => id === name)
      const found = new Set((exact.length > 0 ? exact : begun).map(({ id }) => id))
      const started = new Set(begun.flatMap(({ id, parent }) => (found.has(parent ?? '') ? id : [])))
      const several = [...found.difference(started)]
      if (several.length > 1)
        throw new ScrollbackError(
          'several-sessions',
          `"${shownName(name)}" is ambiguous: ${several.length} session ids begin with it:${listOf(several)}`,
          'Use a longer part of the id, or name each session.',
        )
      for (const id of found) meant.add(id)
    }
    return meant
  },
})

const SHOWN = 20

/** The alternatives, one on a line. */
function listOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? [`and ${names.length - SHOWN} more`] : []
  return [...names.slice(0, SHOWN).map(shownName), ...more].map((each) => `\n  ${each}`).join('')
}

/** A project, by its name or by the last folder of it. Throws if several projects are called so. */
function projectsCalled(name: string, sessions: readonly StoredSession[]): readonly string[] {
  const names = new Set(sessions.flatMap(({ project }) => project ?? []))
  if (names.has(name)) return [name]
  const longer = [...names].filter((each) => each.endsWith(`/${name}`)).sort()
  if (longer.length > 1)
    throw new ScrollbackError(
      'several-projects',
      `"project:${shownName(name)}" is ambiguous: ${longer.length} projects are called so:${listOf(longer.map((each) => `project:${each}`))}`,
      'Use one of these names.',
    )
  return longer
}

/** What the store contains of it. */
export function selectStored(
  store: Store,
  { ids, projects, devices, persons }: Wanted,
  /** The person of this machine, if the store does not say whose sessions it has. */
  person?: string,
  all: Iterable<Known> = store.known().values(),
): Selection {
  const known = [...all].filter(({ artifact }) => artifact.kind !== 'memory')
  const stored = store.sessions()
  /** Some transcripts only say in their records which session started them. */
  const startedBy = new Map(
    stored.flatMap(({ session: { path, kind, parentSessionId } }) =>
      kind === 'subagent' && parentSessionId !== undefined ? [[path, parentSessionId] as const] : [],
    ),
  )
  const parentOf = ({ path, parentSessionId }: Artifact): string | undefined =>
    parentSessionId ?? startedBy.get(path)
  const chosenProjects = new Set(projects.flatMap((name) => projectsCalled(name, stored)))
  const named = new Set(
    stored.flatMap(({ session, project, folder }) =>
      (project !== undefined && chosenProjects.has(project)) ||
      (folder !== undefined && projects.includes(folder)) ||
      persons.some((name) => name === (session.person ?? person))
        ? [session.path]
        : [],
    ),
  )
  const meant = namesOf(ids).meant(
    known.flatMap(({ artifact }) =>
      artifact.sessionId === '' ? [] : [{ id: artifact.sessionId, parent: parentOf(artifact) }],
    ),
  )
  const isMeant = ({ artifact: { sessionId, path }, device }: Known): boolean =>
    named.has(path) || (device !== undefined && devices.includes(device)) || meant.has(sessionId)
  const chosen = new Set(known.filter(isMeant))
  /** What was condensed, by the path of its copy in which nothing was said since. */
  const condensed = new Map(
    stored.flatMap(({ session: { path, platform, human, firstProgram = '' } }) => {
      const original = human === 0 ? condensedFrom(firstProgram) : undefined
      return original === undefined ? [] : [[path, keyOf(platform, original)] as const]
    }),
  )
  // Subagents, and theirs, condensed copies, and the sessions of another agent that a session ran through.
  for (let before = -1; before < chosen.size; ) {
    before = chosen.size
    const through = runtimeIds([...chosen].map(({ artifact }) => artifact))
    const parents = new Set([...chosen].map(({ artifact }) => keyOf(artifact.platform, artifact.sessionId)))
    for (const each of known) {
      const { platform, sessionId, path } = each.artifact
      const parent = parentOf(each.artifact)
      // Copies of a session have its id.
      if (sessionId !== '' && (parents.has(keyOf(platform, sessionId)) || through.has(sessionId)))
        chosen.add(each)
      if (parents.has(condensed.get(path) ?? '')) chosen.add(each)
      if (parent !== undefined && parents.has(keyOf(platform, parent))) chosen.add(each)
    }
  }
  const artifacts = [...chosen].map(({ artifact }) => artifact)
  return { files: [...chosen], sessions: sessionsOf(artifacts, parentOf) }
}

/** The sessions of some files, each with the one of them that started it or ran through it. */
function sessionsOf(
  artifacts: readonly Artifact[],
  parentOf: (artifact: Artifact) => string | undefined,
): Map<string, SessionKey> {
  const ids = new Set(artifacts.map(({ sessionId }) => sessionId))
  const ranThrough = new Map(
    artifacts.flatMap(({ sessionId, entry }) =>
      (entry?.runtimeSessions ?? []).map((id) => [id, sessionId] as const),
    ),
  )
  const sessions = new Map<string, SessionKey>()
  for (const artifact of artifacts) {
    const { platform, sessionId: session } = artifact
    // The prompt history belongs to no session. A note without an id would keep away whatever has none.
    if (session === '') continue
    const parent = parentOf(artifact) ?? ranThrough.get(session)
    const isChosen = parent !== undefined && parent !== session && ids.has(parent)
    const key = keyOf(platform, session)
    if (isChosen || !sessions.has(key))
      sessions.set(key, { platform, session, ...(isChosen ? { parent } : {}) })
  }
  return sessions
}

const keyOf = forgottenKey

/**
 * Adds the sessions of an archive. Reads all of its records. Returns how many belong to no session, such as
 * memory and jobs, and were delivered by one of the devices. Throws if a name is the beginning of several ids
 * in the archive or of one there and another that was chosen.
 */
export function selectArchived(
  folder: string,
  { ids, projects, devices }: Wanted,
  sessions: Map<string, SessionKey>,
): number {
  let others = 0
  const names = namesOf(ids)
  const begun = new Map<string, SessionKey>()
  const isMeant = ({ project, device, deviceId }: Envelope): boolean =>
    isOfDevice({ device, deviceId }, devices) ||
    (project != null && projects.some((name) => name === project || name === basename(project)))
  /** The sessions that another one started, each with that one. */
  const started = new Map<string, SessionKey & { parent: string }>()
  const ownersOf = createOwners()
  for (const { lines } of archiveFrames(folder, noFaults()))
    for (const line of lines) {
      const envelope = envelopeOf(line)
      if (!envelope) continue
      const { platform } = envelope
      const { session, parent = parentIn(envelope) } = ownersOf(envelope)
      if (session === undefined) others += isOfDevice(envelope, devices) ? 1 : 0
      else {
        const key = keyOf(platform, session)
        if (parent !== undefined && parent !== session) started.set(key, { platform, session, parent })
        if (names.mayBe(session)) begun.set(key, { platform, session })
        if (isMeant(envelope) && !sessions.has(key)) sessions.set(key, { platform, session })
      }
    }
  const known = [...sessions.values(), ...begun.values()].filter(({ session }) => names.mayBe(session))
  const meant = names.meant(
    known.map(({ platform, session: id, parent }) => ({
      id,
      parent: parent ?? started.get(keyOf(platform, id))?.parent,
    })),
  )
  for (const [key, each] of begun) if (meant.has(each.session) && !sessions.has(key)) sessions.set(key, each)
  // What these started, and so on.
  for (let before = -1; before < sessions.size; ) {
    before = sessions.size
    for (const [key, each] of started)
      if (!sessions.has(key) && sessions.has(keyOf(each.platform, each.parent))) sessions.set(key, each)
  }
  return others
}

/** The session that started the one of a transcript, if the first record says it. */
function parentIn({ platform, kind, line, session, path, agent, raw }: Envelope): string | undefined {
  if (kind !== 'transcript' || line !== 1 || session === null) return undefined
  const records = platforms.find(({ id }) => id === platform)?.records
  const artifact = { platform, agent, path, sessionId: session, root: '', bytes: 0 } as Artifact
  for (const { payload } of records?.normalize(raw, artifact) ?? [])
    if (payload.type === 'session' && payload.kind === 'subagent') return payload.parentSession
  return undefined
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Whether a record of the archives is to be removed. Of a prompt history that does not name its sessions,
 * those prompts are that the sessions have.
 */
export const isRemovedFrom = (
  sessions: ReadonlyMap<string, SessionKey>,
  { devices }: Pick<Wanted, 'devices'>,
  archives: readonly string[],
) => {
  const ownersOf = createOwners()
  const isChosen = (envelope: Envelope): boolean => {
    const { session, parent } = ownersOf(envelope)
    return [session, parent].some((id) => id !== undefined && sessions.has(keyOf(envelope.platform, id)))
  }
  const ids = new Map<string, Set<string>>()
  for (const { platform, session } of sessions.values())
    ids.set(platform, (ids.get(platform) ?? new Set()).add(session))
  const isUnnamed = [...sessions.values()].some(({ platform }) => hasUnnamed(platform))
  const spoken = spokenIn(isUnnamed ? archives : [], isChosen)
  return (envelope: Envelope): boolean =>
    isChosen(envelope) ||
    (ownersOf(envelope).session === undefined &&
      (isOfDevice(envelope, devices) ||
        isTyped(envelope, spoken) ||
        namesOneOf(envelope, ids.get(envelope.platform) ?? NOTHING)))
}

const isOfDevice = (
  { device, deviceId }: Pick<Envelope, 'device' | 'deviceId'>,
  devices: readonly string[],
): boolean => devices.some((name) => name === device || name === deviceId)

/**
 * The memory documents of devices and persons in a team store, with what keeps them from being written
 * again. Sessions and projects have no memory of their own.
 */
export function memoryOf(
  known: Iterable<Known>,
  { devices, persons }: Pick<Wanted, 'devices' | 'persons'>,
): { files: Known[]; sessions: Map<string, SessionKey> } {
  const files: Known[] = []
  const sessions = new Map<string, SessionKey>()
  for (const each of known) {
    const { artifact, device, person } = each
    if (artifact.kind !== 'memory' || device === undefined || person === undefined) continue
    if (!devices.includes(device) && !persons.includes(person)) continue
    files.push(each)
    const session = memoryName(device, person)
    sessions.set(forgottenKey(artifact.platform, session), { platform: artifact.platform, session })
  }
  return { files, sessions }
}

/** The memory documents of this machine that are about one of some sessions. */
export const documentsAbout = (known: Iterable<Known>, sessions: ReadonlyMap<string, SessionKey>): Known[] =>
  [...known].filter(({ artifact }) => {
    if (artifact.kind !== 'memory' || sessions.size === 0) return false
    const session = platforms.find(({ id }) => id === artifact.platform)?.memory?.sessionOf?.(artifact)
    return session !== undefined && sessions.has(keyOf(artifact.platform, session))
  })

/** The memory documents of the person of this machine, with what keeps them from being read again. */
export function ownMemory(
  known: Iterable<Known>,
  { persons }: Pick<Wanted, 'persons'>,
  user: string,
): Selection {
  const files = [...known].filter(
    ({ artifact, person }) => artifact.kind === 'memory' && persons.includes(person ?? user),
  )
  const sessions = new Map(
    files.map(({ artifact: { platform } }) => [
      forgottenKey(platform, OWN_MEMORY),
      { platform, session: OWN_MEMORY },
    ]),
  )
  return { files, sessions }
}
