import { join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import type { FileMove, Moving, PathMap } from '../platform.ts'
import { holdsPath, pathEditor } from '../rewriting.ts'
import { databasesIn } from './database/sessions.ts'

/** A folder that was moved: its path is in the sessions and the projects of the database. */
export const moving: Moving = {
  changes: 'the folders of sessions and projects in its database, or in the files of versions before 1.2',
  moves({ platform, path: root }, map, { dirs }) {
    const databases = databasesIn(platform, root, dirs?.[platform] !== undefined)
    return [
      {
        root,
        moves: [
          ...databases.map((name): FileMove => ({ type: 'database', below: name, columns: COLUMNS })),
          ...inTree(root, map),
        ],
        sessions: [],
        left: [],
      },
    ]
  },
}

const COLUMNS = [
  { table: 'session', column: 'directory' },
  { table: 'project', column: 'worktree' },
]

/** `storage/project/<id>.json` and `storage/session/<project>/<id>.json`. */
function inTree(root: string, map: PathMap): FileMove[] {
  const files = (below: string): string[] =>
    isPlainFolder(join(root, below))
      ? listDirectory(join(root, below)).entries.flatMap((entry) =>
          entry.isFile() && entry.name.endsWith('.json') ? [`${below}/${entry.name}`] : [],
        )
      : []
  const sessions = 'storage/session'
  const projects = isPlainFolder(join(root, sessions))
    ? listDirectory(join(root, sessions)).entries.filter((entry) => entry.isDirectory())
    : []
  return [...files('storage/project'), ...projects.flatMap(({ name }) => files(`${sessions}/${name}`))]
    .filter((below) => holdsPath(join(root, below), map.from))
    .map((below) => ({
      type: 'edit',
      below,
      to: below,
      unit: 'whole',
      edit: (text) => editJson(text, pathEditor(['directory', 'worktree'], [map])),
    }))
}
