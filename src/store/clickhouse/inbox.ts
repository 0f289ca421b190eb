import { forgottenKey, memoryName } from '../../model/artifact.ts'
import { hash53 } from '../../model/hash.ts'
import { isAscii } from '../../search/characters.ts'
import { separateVersions, tokenStream } from '../../search/words.ts'
import type { ChangedItem, FileHeader } from '../changes.ts'
import type { CopiedItem } from '../file-copy.ts'
import type { Inbox, SentFile, SentPart, SpaceAddress } from '../team.ts'
import { type Cell, connect, Refused } from './connection/connection.ts'
import { COLUMNS, FORMAT, idOf, MOMENT_BITS } from './schema.ts'

type Row<Table extends keyof typeof COLUMNS> = Record<(typeof COLUMNS)[Table][number], Cell>

/** A session as a number, by which a space recognizes what it refuses. */
export const keyOf = (platform: string, session: string): number =>
  hash53([forgottenKey(platform, session)], 0)

/**
 * What a machine sends to a space. It only inserts. Rows without content that remove others have the session
 * 0, which no rule refuses.
 */
export function openInbox(address: SpaceAddress, device: string): Inbox {
  const connection = connect(address)
  let bytes = 0
  function insert<Table extends keyof typeof COLUMNS>(table: Table, rows: readonly Row<Table>[]): void {
    const columns = COLUMNS[table] as readonly (keyof Row<Table> & string)[]
    bytes += connection.insert(
      table,
      columns,
      rows.map((row) => columns.map((name) => row[name])),
    )
  }

  return {
    announce: (files) =>
      insertTaken(files, (some) =>
        insert(
          'arrival',
          some.map((file) => ({ artifact: idOf(device, file.number), device, ...sessionOf(file, device) })),
        ),
      ),
    send: (parts, version) =>
      insertTaken(parts, (some) => {
        insert(
          'item',
          some.flatMap((part) => itemRows(part, device, version)),
        )
        insert(
          'usage',
          some.flatMap((part) => usageRows(part, device, version)),
        )
      }).map(({ file }) => file),
    finish: (files, version) =>
      insertTaken(files, (some) =>
        insert(
          'artifact',
          some.map((file) => ({
            id: idOf(device, file.number),
            version,
            device,
            ...(file.header
              ? { deleted: 0, ...fileRow(file.header), person: file.person, ...sessionOf(file, device) }
              : NO_FILE),
          })),
        ),
      ),
    delivered: (counts) =>
      insert('delivery', [
        { device, format: FORMAT, newest: counts.newestMs, ...counts } satisfies Row<'delivery'>,
      ]),
    bytes: () => bytes,
    close: () => connection.close(),
  }
}

/** Inserts rows of files. Those that a rule of the space refuses are found by halves, and returned. */
function insertTaken<Each>(files: readonly Each[], work: (some: readonly Each[]) => void): Each[] {
  if (files.length === 0) return []
  try {
    work(files)
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (files.length === 1) return [...files]
    const half = files.length >> 1
    return [...insertTaken(files.slice(0, half), work), ...insertTaken(files.slice(half), work)]
  }
}

/** What the rules of a space compare. */
function sessionOf({ header, person, endedMs }: SentFile, device: string) {
  if (!header) return { key: 0, parentKey: 0, ended: 0 }
  const { platform, sessionId, parentSessionId, kind } = header.artifact
  return {
    key: kind === 'memory' ? memoryKey(platform, device, person) : keyOf(platform, sessionId),
    parentKey: parentSessionId === undefined ? 0 : keyOf(platform, parentSessionId),
    ended: Math.trunc(endedMs),
  }
}

const memoryKey = (platform: string, device: string, person: string): number =>
  keyOf(platform, memoryName(device, person))

const NO_FILE = {
  deleted: 1,
  key: 0,
  parentKey: 0,
  ended: 0,
  ...({
    person: '',
    path: '',
    root: '',
    platform: '',
    agent: '',
    session: '',
    parent: '',
    state: '',
  } as const),
  ...({ rank: 0, project: null, folder: null, facts: '', revision: 0, generation: 0, settled: 0 } as const),
  ...({ size: 0, modified: 0, checkpoint: '', gone: null, cuts: '', versions: '', row: '' } as const),
}

/** The row of a file, without what tells it apart. */
function fileRow({ artifact, checkpoint, session, goneMs, cuts, versions, ...header }: FileHeader) {
  const { generation, size, modifiedMs, ...reached } = checkpoint
  const json = (rows: readonly object[]): string => (rows.length === 0 ? '' : JSON.stringify(rows))
  return {
    path: artifact.path,
    root: artifact.root,
    platform: artifact.platform,
    agent: artifact.agent,
    session: artifact.sessionId,
    parent: artifact.parentSessionId ?? '',
    state: artifact.state,
    rank: header.rank,
    project: header.project ?? null,
    folder: header.folder ?? null,
    facts: JSON.stringify(artifact),
    revision: header.revision,
    generation,
    settled: header.settled,
    size,
    modified: modifiedMs,
    checkpoint: JSON.stringify(reached),
    gone: wholeOf(goneMs ?? null),
    cuts: json(cuts),
    versions: json(versions),
    row: session ? JSON.stringify(session) : '',
  }
}

const NO_ITEM: Omit<CopiedItem, 'generation' | 'line' | 'order'> = {
  who: 'marker',
  at: null,
  text: null,
  tool: null,
  target: null,
  offset: 0,
  length: 0,
  record: 0,
  digest: 0,
  more: null,
  prompt: false,
  aside: false,
}

function itemRow({ generation, line, order, item, message = 0 }: ChangedItem) {
  const { text, target, more, who, ...row } = item ?? NO_ITEM
  const at = wholeOf(row.at)
  return {
    generation,
    line,
    place: order,
    deleted: item ? 0 : 1,
    record: row.record,
    digest: row.digest,
    moment: momentOf(at, message),
    at,
    who,
    prompt: row.prompt ? 1 : 0,
    aside: row.aside ? 1 : 0,
    unsure: more?.sure === false ? 1 : 0,
    spoken: text !== null && (who === 'human' || who === 'program') ? wordsIn(text) : 0,
    offset: row.offset,
    length: row.length,
    tool: row.tool,
    target,
    more: more === null ? null : JSON.stringify(more),
    text,
    words: wordsOf(text ?? target ?? ''),
  }
}

/** Empty where the engine finds the same tokens in the text: see `TOKENS`. */
const wordsOf = (text: string): string =>
  isAscii(text) && separateVersions(text) === text ? '' : tokenStream(text)

/** As text, because numbers of this size are not exact. */
const momentOf = (at: number | null, message: number): string =>
  String((BigInt(at ?? 0) << BigInt(MOMENT_BITS)) + BigInt(message % 2 ** MOMENT_BITS))

const WORD = /\S+/g
const wordsIn = (text: string): number => {
  let count = 0
  WORD.lastIndex = 0
  while (WORD.test(text)) count++
  return count
}

function itemRows({ file, items }: SentPart, device: string, version: number): Row<'item'>[] {
  const same = { artifact: idOf(device, file.number), month: file.month, version }
  const { key } = sessionOf(file, device)
  return items.map((row) => ({ ...same, ...itemRow(row), key: row.item ? key : 0 }))
}

function usageRows({ file, usages }: SentPart, device: string, version: number): Row<'usage'>[] {
  const same = { artifact: idOf(device, file.number), version }
  const { key } = sessionOf(file, device)
  return usages.map(({ reply, usage }) => ({
    ...same,
    ...(usage ?? NO_USAGE),
    at: wholeOf(usage?.at ?? null),
    reply,
    deleted: usage ? 0 : 1,
    key: usage ? key : 0,
  }))
}

const NO_USAGE = {
  at: null,
  model: null,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: null,
  cacheWriteHour: 0,
  reasoning: 0,
  cut: 0,
}

const wholeOf = (at: number | null): number | null =>
  at === null || !Number.isFinite(at) ? null : Math.trunc(at)
