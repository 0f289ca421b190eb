import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ScrollbackError } from '../../errors.ts'
import { type Annotation, noAnnotation, type TagRule } from '../../model/session.ts'
import { inTransaction, isDamage, migrate, prepareWrite, storeFault, translateFaults } from './database.ts'
import { checkStorePath, makeStoreFile } from './files.ts'
import { IN_MEMORY } from './open.ts'

/** A change of one session's annotation. Fields that are absent stay as they are. */
export interface AnnotationChange {
  star?: boolean
  /** `null` removes the name. */
  name?: string | null
  add?: readonly string[]
  remove?: readonly string[]
}

/**
 * Stars, names and tags of sessions, by session id. They are the only data of ours that no transcript
 * contains, so they are stored apart from the index, and no rebuild touches them.
 */
export interface Annotations {
  /** Sessions without an annotation are absent. */
  all(): Map<string, Annotation>
  /** Changes one session and returns its new annotation. */
  change(session: string, change: AnnotationChange): Annotation
  /** Sorted by tag. */
  rules(): TagRule[]
  /** Adds a rule. A rule with the same tag and query stays single. */
  addRule(rule: TagRule): void
  /** Removes all rules of a tag and returns how many there were. */
  removeRules(tag: string): number
  close(): void
}

const MIGRATIONS = [
  `CREATE TABLE annotation (session TEXT PRIMARY KEY, star INTEGER NOT NULL, name TEXT) WITHOUT ROWID;
  CREATE TABLE tag (session TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (session, tag)) WITHOUT ROWID;
  CREATE TABLE rule (tag TEXT NOT NULL, query TEXT NOT NULL, PRIMARY KEY (tag, query)) WITHOUT ROWID`,
]
/** How long a change waits for another process. */
const PATIENCE_MS = 5000

/**
 * Opens the annotations for reading. Undefined if there are none yet. Throws a `ScrollbackError` if the file
 * cannot be read.
 */
export function readAnnotations(path: string): Annotations | undefined {
  if (path === IN_MEMORY || !existsSync(path)) return undefined
  return opened(path, () => {
    checkStorePath(path)
    return annotationsOn(new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS }), path)
  })
}

/** Opens the annotations, and creates the file if necessary. Throws a `ScrollbackError` if that fails. */
export function openAnnotations(path: string): Annotations {
  return opened(path, () => {
    if (path !== IN_MEMORY) makeStoreFile(path)
    const database = new DatabaseSync(path, { timeout: PATIENCE_MS })
    // What is removed leaves nothing in free space.
    database.exec('PRAGMA secure_delete = ON')
    migrate(database, MIGRATIONS)
    return annotationsOn(database, path)
  })
}

function opened<Result>(path: string, open: () => Result): Result {
  try {
    return open()
  } catch (error) {
    throw faultOf(error, path)
  }
}

const faultOf = (error: unknown, path: string): unknown =>
  isDamage(error)
    ? new ScrollbackError(
        'store-unreadable',
        `The stars, names and tags in ${path} cannot be read: the file is damaged.`,
        'Restore it from a backup, or move it away to begin anew.',
        error,
      )
    : storeFault(error, path)

function annotationsOn(database: DatabaseSync, path: string): Annotations {
  function all(): Map<string, Annotation> {
    const found = new Map<string, Annotation>()
    const annotations = database.prepare('SELECT session, star, name FROM annotation').all()
    const tags = database.prepare('SELECT session, tag FROM tag ORDER BY session, tag').all()
    for (const { session, star, name } of annotations)
      found.set(String(session), {
        star: star === 1,
        ...(name === null ? {} : { name: String(name) }),
        tags: [],
      })
    for (const { session, tag } of tags) {
      const annotation = found.get(String(session)) ?? noAnnotation()
      annotation.tags.push(String(tag))
      found.set(String(session), annotation)
    }
    return found
  }

  function change(session: string, wanted: AnnotationChange): Annotation {
    const after = changed(session, wanted)
    // Free space may hold what an earlier version removed.
    if (!after.star && after.name === undefined && after.tags.length === 0) database.exec('VACUUM')
    return after
  }

  function changed(session: string, { star, name, add = [], remove = [] }: AnnotationChange): Annotation {
    return inTransaction(database, () => {
      const before = all().get(session) ?? noAnnotation()
      const after: Annotation = {
        star: star ?? before.star,
        tags: [...new Set([...before.tags, ...add])].filter((tag) => !remove.includes(tag)).sort(),
      }
      const title = name === undefined ? before.name : (name ?? undefined)
      if (title !== undefined) after.name = title
      prepareWrite(database, 'DELETE FROM annotation WHERE session = ?').run(session)
      prepareWrite(database, 'DELETE FROM tag WHERE session = ?').run(session)
      if (after.star || after.name !== undefined)
        prepareWrite(database, 'INSERT INTO annotation (session, star, name) VALUES (?, ?, ?)').run(
          session,
          after.star ? 1 : 0,
          after.name ?? null,
        )
      const insert = prepareWrite(database, 'INSERT INTO tag (session, tag) VALUES (?, ?)')
      for (const tag of after.tags) insert.run(session, tag)
      return after
    })
  }

  return translateFaults<Annotations>(
    {
      all,
      change,
      rules: () =>
        database
          .prepare('SELECT tag, query FROM rule ORDER BY tag, query')
          .all()
          .map(({ tag, query }) => ({ tag: String(tag), query: String(query) })),
      addRule({ tag, query }) {
        prepareWrite(database, 'INSERT OR IGNORE INTO rule (tag, query) VALUES (?, ?)').run(tag, query)
      },
      removeRules: (tag) => Number(prepareWrite(database, 'DELETE FROM rule WHERE tag = ?').run(tag).changes),
      close: () => database.close(),
    },
    (error) => faultOf(error, path),
  )
}
