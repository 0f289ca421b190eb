import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { FreshStore, ReadingContext, Storage } from '../../context/context.ts'
import { withReadBefore } from '../../context/fresh-store.ts'
import { ScrollbackError } from '../../errors.ts'
import { readPrivateFile } from '../../io/own-files.ts'
import { type Artifact, isAskedFor } from '../../model/artifact.ts'
import { clickhouse } from '../../store/clickhouse/engine.ts'
import { holdLock, makeOwnFolder } from '../../store/sqlite/files.ts'
import type { StorePart, TeamAddress, TeamStore } from '../../store/team.ts'
import type { Synced } from '../../sync/sync.ts'

/** The engine of team stores. Its code is only loaded for one. */
export const teamEngine = clickhouse

/** How many files are named whose rows are malformed. */
const MOST_NAMED = 3

/**
 * Opens the team store for reading what every device has stored. Nothing is discovered on this machine. What
 * was read of a file is read again only if it has changed, because commands ask for all files more than once.
 * If a part is enough, only its sessions and files are listed, unless there are none: what is said then
 * depends on all of them. Everything else is answered from the whole store.
 */
export function openRemote(address: TeamAddress, context: ReadingContext, part?: StorePart): FreshStore {
  const malformed = new Set<string>()
  const opened = teamEngine.open({
    ...address,
    device: context.machine.device,
    everyone: true,
    onMalformed(path) {
      if (malformed.size < MOST_NAMED && !malformed.has(path))
        context.note(`${path}: what its machine wrote to the team store is malformed, and is left out`)
      malformed.add(path)
    },
  })
  context.atEnd?.(() => opened.close())
  const some = part && withReadBefore({ ...opened, ...opened.listing(part) })
  const { store } = some && some.store.known().size > 0 ? some : withReadBefore(opened)
  const reload = (): Synced => foundIn(store.known(), context)
  return { store, found: reload(), reload }
}

/** The files of the store, as if they were discovered. */
function foundIn(files: ReturnType<FreshStore['store']['known']>, { environment }: ReadingContext): Synced {
  const found = { artifacts: [] as Artifact[], documents: [] as Artifact[] }
  const roots = new Map<string, Synced['roots'][number]>()
  for (const { artifact, goneMs } of files.values()) {
    const { platform, root: path } = artifact
    roots.set(`${platform} ${path}`, { platform, path, reason: 'team store', found: true })
    if (goneMs !== undefined || !isAskedFor(artifact.state, environment)) continue
    if (artifact.kind === 'transcript') found.artifacts.push(artifact)
    else if (artifact.kind === 'memory') found.documents.push(artifact)
  }
  const count = found.artifacts.length
  return {
    ...found,
    roots: [...roots.values()],
    notices: [],
    unread: [],
    named: [],
    found: [],
    hasNestedRoots: false,
    count,
    unchanged: count,
    artifactAt: (index) => found.artifacts[index]!,
    freeArtifacts() {},
    scope: '',
    inventory: '',
    read: 0,
    bytes: 0,
    gone: 0,
    moved: 0,
    faults: [],
    upToDate: true,
  }
}

/**
 * Opens a team store to write the files of one device. Its lock is the same for every command, so that only
 * one process of this machine writes as that device at a time.
 */
export function openDeviceStore(
  server: TeamAddress,
  device: string,
  { dataFolder, machine }: Pick<Storage, 'dataFolder'> & { machine: { user: string } },
): TeamStore {
  const name = hash('sha256', `${server.url} ${server.database} ${device}`, 'hex').slice(0, 16)
  makeOwnFolder(dataFolder)
  return teamEngine.open({
    ...server,
    device,
    person: machine.user,
    lock: () => holdLock(join(dataFolder, `team-${name}.lock`)),
  })
}

/** Opens the team store that `--store` names, with the files of all machines. It closes with the command. */
export function openTeamStore({ remote, machine, atEnd }: ReadingContext): TeamStore {
  const store = teamEngine.open({ ...remote!.address, device: machine.device, everyone: true })
  atEnd?.(() => store.close())
  return store
}

/** Where the password of a store comes from. */
interface PasswordSource {
  /** The value of SCROLLBACK_STORE_PASSWORD. */
  password?: string | undefined
  /** The file of `--store-password-file`. */
  passwordFile?: string | undefined
}

/** Reads the address of a team store: see `TeamEngine`. `flag` is where it was given. */
export const storeAddress = (
  text: string,
  source: PasswordSource,
  flag: '--store' | 'collect' | 'store copy' = '--store',
): TeamAddress => ({ ...teamEngine.addressIn(text, flag), password: passwordOf(source) })

function passwordOf({ password, passwordFile }: PasswordSource): string {
  if (passwordFile === undefined) return password ?? ''
  try {
    const { text, open } = readPrivateFile(passwordFile)
    if (!open) return text.trim()
  } catch (error) {
    throw new ScrollbackError(
      'bad-option',
      `--store-password-file ${passwordFile}: cannot be read.`,
      'Give a file that only you can read, with the password in it.',
      error,
    )
  }
  throw new ScrollbackError(
    'bad-option',
    `--store-password-file ${passwordFile}: other users can read or change it.`,
    `Protect it: chmod 600 ${passwordFile}`,
  )
}
