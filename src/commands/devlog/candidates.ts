import { discover } from '../../collect/discover.ts'
import { type Candidate, startOf } from '../../devlog/select.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item, Session } from '../../model/session.ts'
import { parseQuery } from '../../search/parse-query.ts'
import { chooseSessions } from '../kit/choose-sessions.ts'
import type { Context } from '../kit/context.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { type Loaded, loadSessions } from '../kit/load-sessions.ts'
import { readFromFile, storeReader, type TranscriptReader } from '../kit/read-messages.ts'
import { timeOrUndefined } from '../kit/time.ts'
import type { DevlogInput } from './input.ts'

/** The sessions that a devlog may use, and how to read them. */
export interface Candidates {
  loaded: Loaded
  candidates: Candidate[]
  /** The short name of a session's project. */
  nameOf(session: Session): string | undefined
  /** All items of a session. From the store, if there is one. */
  itemsOf(session: Session): Item[]
}

/** More matches than anybody has messages on a topic. */
const ALL = 100_000

/** Finds the sessions of the project, or of every project, and what they say about the topic. */
export async function findCandidates(
  { project, topic, platform, agent }: DevlogInput,
  everywhere: boolean,
  context: Context,
): Promise<Candidates> {
  const loaded = loadSessions({ platform, agent }, context)
  const wanted = { name: project, all: everywhere && project === undefined, agent }
  const { sessions, mentions, nameOf } = await chooseSessions(loaded, wanted, context)
  const itemsOf = createReader(context)
  const onTopic = topic === undefined ? undefined : topicOf(topic, itemsOf, context)
  return {
    ...{ loaded, nameOf, itemsOf },
    candidates: [
      ...sessions.map((session) => ({ session, ...(onTopic ? { topic: onTopic(session) } : {}) })),
      ...mentions.map(({ session, words }) => ({ session, mention: words })),
    ].sort((a, b) => startOf(a.session) - startOf(b.session)),
  }
}

function createReader(context: Context): Candidates['itemsOf'] {
  const fresh = freshStore(context)
  const read: TranscriptReader = fresh ? storeReader(fresh.store) : readFromFile
  const artifacts = new Map(
    (fresh?.found ?? discover(context.environment)).artifacts.map((artifact) => [artifact.path, artifact]),
  )
  return ({ path }) => {
    // Of a file that is gone, the store knows everything that is needed.
    const artifact = artifacts.get(path) ?? ({ path } as Artifact)
    return read({ artifact }, { redact: context.redact, usage: false }).items
  }
}

/** Counts the messages and the changed files of a session that contain the words of a topic. */
function topicOf(
  topic: string,
  itemsOf: Candidates['itemsOf'],
  context: Context,
): (session: Session) => { hits: number; files: number } {
  const words = topic.toLowerCase().split(/\s+/).filter(Boolean)
  const store = freshStore(context)?.store
  if (!store) {
    const has = (text: string | undefined): boolean => {
      const low = text?.toLowerCase() ?? ''
      return words.every((word) => low.includes(word))
    }
    return (session) => {
      const items = itemsOf(session)
      const targets = new Set(items.flatMap(({ tool }) => tool?.target ?? []).filter(has))
      return { hits: items.filter(({ text }) => has(text)).length, files: targets.size }
    }
  }
  const count = (text: string): ReadonlyMap<string, number> => {
    const query = parseQuery(text, context.now, timeOrUndefined)
    return store.search({ query, limit: ALL, now: context.now, deleted: true }).sessions()
  }
  const hits = count(topic)
  const files = count(words.map((word) => `file:"${word.replaceAll('"', '')}"`).join(' '))
  return ({ path }) => ({ hits: hits.get(path) ?? 0, files: files.get(path) ?? 0 })
}
