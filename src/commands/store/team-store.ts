import type { FreshStore, ReadingContext, Reports } from '../../context/context.ts'
import { withReadBefore } from '../../context/fresh-store.ts'
import { ScrollbackError } from '../../errors.ts'
import { readPrivateFile } from '../../io/own-files.ts'
import { type Artifact, isAskedFor } from '../../model/artifact.ts'
import { namesOfFolders } from '../../project/group.ts'
import { clickhouse } from '../../store/clickhouse/engine.ts'
import type { Administration, SessionName, SpaceAddress, StorePart } from '../../store/team.ts'
import type { Synced } from '../../sync/sync.ts'

/** The engine of spaces. Its code is only loaded for one. */
export const teamEngine = clickhouse

/** How many files are named whose rows are malformed. */
const MOST_NAMED = 3

/**
 * Opens a space for reading. Nothing is discovered on this machine. What
 * was read of a file is read again only if it has changed, because commands ask for all files more than once.
 * If a part is enough, only its sessions and files are listed, unless there are none: what is said then
 * depends on all of them. Everything else is answered from the whole store.
 */
export function openRemote(address: SpaceAddress, context: ReadingContext, part?: StorePart): FreshStore {
  const malformed = new Set<string>()
  const opened = teamEngine.open({
    ...address,
    device: context.machine.device,
    nameProjects: namesOfFolders,
    onUnseen: (adds) =>
      context.note(
        `A newer version of scrollback has upgraded this space. This one does not show: ${adds}. Update it.`,
      ),
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

/** Opens the space that `--store` names for its administrator. It closes with the command. */
export function openAdministration({ remote, atEnd }: ReadingContext): Administration {
  const opened = teamEngine.administer(remote!.address)
  atEnd?.(() => opened.close())
  return opened
}

/** How often rows are erased that were on their way when the space began to refuse them. */
const MOST_ROUNDS = 4

/**
 * Erases files and sessions from a space. Returns how many rows are left, which is 0 unless others write
 * them.
 */
export function eraseAll(
  space: Administration,
  ids: readonly number[],
  sessions: readonly SessionName[],
  { progress }: Pick<Reports, 'progress'>,
): number {
  let left = 0
  progress?.start('Erasing', 0)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    space.erase(ids, sessions)
    left = space.count(ids, sessions)
    if (left === 0) break
  }
  progress?.stop()
  return left
}

/** How a space is named, without a user. */
export const spaceUrl = ({ url, database }: Pick<SpaceAddress, 'url' | 'database'>): string =>
  `clickhouse://${new URL(url).host}/${database}`

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
): SpaceAddress => ({ ...teamEngine.addressIn(text, flag), password: passwordOf(source) })

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
