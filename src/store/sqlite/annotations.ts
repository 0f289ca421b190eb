import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ScrollbackError } from '../../errors.ts'
import { type Annotation, noAnnotation } from '../../model/session.ts'
import type { AnnotationChange, Annotations } from '../annotations.ts'
import { isDamage, storeFault } from './faults.ts'
import { migrate } from './migrate.ts'
import { IN_MEMORY } from './open.ts'
import { checkStorePath, makeStoreFile } from './store-path.ts'
import { translateFaults } from './translate-faults.ts'
import { prepareWrite } from './write-statement.ts'

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
  const rows = () => ({
    annotations: database.prepare('SELECT session, star, name FROM annotation').all(),
    tags: database.prepare('SELECT session, tag FROM tag ORDER BY session, tag').all(),
  })

  function all(): Map<string, Annotation> {
    const found = new Map<string, Annotation>()
    const { annotations, tags } = rows()
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

  function change(session: string, { star, name, add = [], remove = [] }: AnnotationChange): Annotation {
    database.exec('BEGIN IMMEDIATE')
    try {
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
      database.exec('COMMIT')
      return after
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
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
