import type { Context } from '../../context/context.ts'
import { countsOf, hasSame } from '../../deliver/copy-store.ts'
import { notesChanges, pushChanges } from '../../deliver/push.ts'
import { ScrollbackError } from '../../errors.ts'
import { OWN_MEMORY } from '../../model/artifact.ts'
import { finish } from '../../model/iteration.ts'
import { counted } from '../../render/table.ts'
import type { FileHeader } from '../../store/changes.ts'
import type { FileContent } from '../../store/file-copy.ts'
import type { Known } from '../../store/increment.ts'
import type { Store } from '../../store/store.ts'
import type { SpaceAddress } from '../../store/team.ts'
import { forgottenTest, isForgottenArtifact } from '../../sync/forgotten.ts'
import type { CopyAnswer } from './answer.ts'
import { differing, type Endpoint, passwords } from './copy-source.ts'
import { spaceUrl, storeAddress, teamEngine } from './team-store.ts'

interface Sending {
  /** The machine of files that name none, and the person of those that name none. */
  own: string
  person: string | undefined
  dryRun: boolean
}

/**
 * Sends everything of a store or an archive to a space, each file as of its machine, which only an
 * administrator may. What was sent is noted in the source, so a second run sends the rest. Throws a
 * `ScrollbackError` if the space does not have the same at the end.
 */
export function sendAll(
  source: Endpoint,
  to: string,
  { own, person = '', dryRun }: Sending,
  context: Context,
): CopyAnswer {
  const { store } = source
  if (!notesChanges(store))
    throw new ScrollbackError(
      'bad-option',
      'store copy: one space is not copied into another',
      'Use BACKUP and RESTORE of ClickHouse: docs/guides/team.md',
    )
  const server = storeAddress(to, passwords(context, 'to'), 'store copy')
  const url = spaceUrl(server)
  const isForgotten = forgottenTest(context.environment)
  const files = sentFiles(store, source, own)
  const sent = files.filter(({ known: { artifact }, device }) => {
    if (!isForgotten) return true
    const isOwnMemory = artifact.kind === 'memory' && device === context.machine.device
    return (
      !isForgottenArtifact(artifact, isForgotten) &&
      !(isOwnMemory && isForgotten(artifact.platform, OWN_MEMORY))
    )
  })
  const answer: CopyAnswer = {
    from: source.name,
    to: url,
    dryRun,
    copied: 0,
    same: 0,
    newer: 0,
    forgotten: files.length - sent.length,
    unreadable: 0,
    source: [],
    target: [],
  }
  let refused = 0
  for (const [device, some] of Map.groupBy(sent, (each) => each.device)) {
    const wanted = new Set(some.map(({ known }) => known.id))
    const address = `${url} ${device}`
    const due = store.changes.due(store.changes.target(address), wanted).length
    answer.same += some.length - due
    if (dryRun) {
      answer.copied += due
      continue
    }
    const inbox = teamEngine.inbox(server, device)
    const report = finish(
      pushChanges(store, inbox, {
        address,
        wanted,
        person,
        program: context.version ?? '',
        now: context.now,
        atOrigin: (header) => atOrigin(header, source),
      }),
    )
    inbox.close()
    answer.copied += report.files
    refused += report.refused
  }
  answer.forgotten += refused
  const nobodys = sent.filter((each) => person === '' && !each.person).length
  if (nobodys > 0)
    context.note(`${counted(nobodys, 'file')}: it is not known whose. Name the person with --person.`)
  return dryRun ? answer : compared(answer, sent, { source, server, refused, context })
}

/** A file that is sent, and its machine and path there. */
interface SentFrom {
  known: Known
  device: string
  path: string
  person: string | undefined
}

/** Files that are no session, such as the prompt history of a client, stay where they are. */
function sentFiles(store: Store, { originOf }: Endpoint, own: string): SentFrom[] {
  const sessions = new Set(store.sessions().map(({ session }) => session.path))
  const contents = new Map(store.contents().map((each) => [each.id, each]))
  return [...store.known().values()].flatMap((known) => {
    const { path, kind } = known.artifact
    if (kind !== 'memory' && !sessions.has(path)) return []
    // Without the secrets that the path may have.
    const stored = contents.get(known.id)
    const { device = own, path: there = path } = stored ?? {}
    return [{ known, person: known.artifact.person, device, path: there, ...originOf?.(there) }]
  })
}

/** A file of an archive, with its paths on its machine. */
function atOrigin(header: FileHeader, { originOf }: Endpoint): FileHeader {
  const path = originOf?.(header.artifact.path)?.path
  const root = originOf?.(header.artifact.root)?.path
  if (path === undefined || root === undefined) return header
  return {
    ...header,
    artifact: { ...header.artifact, path, root },
    ...(header.session && { session: { ...header.session, path, root } }),
  }
}

interface Comparing {
  source: Endpoint
  server: SpaceAddress
  /** How many files the space has refused. */
  refused: number
  context: Context
}

/** Compares what both have, which is the same unless the space has refused something. */
function compared(
  answer: CopyAnswer,
  sent: readonly SentFrom[],
  { source, server, refused, context }: Comparing,
): CopyAnswer {
  const space = teamEngine.open({ ...server, device: context.machine.device })
  const keyOf = ({ device, path }: { device?: string; path: string }): string => `${device} ${path}`
  const there = new Map(space.contents().map((each) => [keyOf(each), each]))
  space.close()
  const contents = new Map(source.store.contents().map((each) => [each.id, each]))
  const found: { here: FileContent & { device: string }; there: FileContent | undefined; key: string }[] =
    sent.flatMap(({ known, device, path }) => {
      const here = contents.get(known.id)
      const key = keyOf({ device, path })
      return here ? [{ here: { ...here, device }, there: there.get(key), key }] : []
    })
  const absent = found.filter((each) => !each.there)
  const differs = found.filter((each) => each.there && !hasSame(each.here, each.there))
  answer.source = countsOf(found.map(({ here }) => here))
  answer.target = countsOf(
    found.flatMap((each) => (each.there ? { ...each.there, device: each.here.device } : [])),
  )
  const missing = absent.length > refused ? absent : []
  const keys = [...differs, ...missing].map(({ key }) => key)
  if (keys.length > 0)
    throw differing({ differing: keys, source: answer.source }, source, { name: answer.to })
  return answer
}
