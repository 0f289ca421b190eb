import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import { longValues } from '../pi-records/long-values.ts'
import { recordedChanges } from '../pi-records/recorded-changes.ts'
import type { Platform, Resumption } from '../platform.ts'
import { mappedPath } from '../rewriting.ts'
import { delivery } from './delivery.ts'
import { discover, given, memberOf, refused, roots } from './files.ts'
import { piIdentity, variablesOf } from './identity.ts'
import { folderFor, moving } from './moving.ts'
import { FAMILY } from './record-facts.ts'
import { knownFields, normalize } from './records/normalize.ts'

export const pi: Platform = {
  id: piIdentity.id,
  identity: piIdentity,
  files: { roots, discover, refused, given },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  resume,
  restoring: {
    directories: ['cwd'],
    mapped(below, own, maps) {
      const [, above, folder, name] = IN_FOLDER.exec(below) ?? []
      const target = own === undefined ? undefined : mappedPath(own, maps)
      if (target === undefined || folder !== folderFor(own!)) return below
      return `${above}${folderFor(target)}/${name}`
    },
  },
  moving,
}

/** In the folder of sessions itself, or in the one above it. */
const IN_FOLDER = /^((?:sessions\/)?)(--[^/]+--)\/(.+)$/

/** A session is found by its id where it ran. Elsewhere the client offers to fork it. */
function resume({ kind, id, parentSessionId, root, cwds }: Session, environment: Environment): Resumption {
  if (kind === 'subagent' && parentSessionId !== undefined)
    return { impossible: `a subagent can only be resumed in its parent: ${parentSessionId}` }
  const reason = roots(environment).find(({ path }) => path === root)?.reason ?? ''
  const member = memberOf({ path: root, reason })
  const names = variablesOf(member)
  return {
    words: [member, FAMILY[member].resumes],
    id,
    variables:
      reason === names.sessions
        ? { [names.sessions]: root }
        : variableFor(names.agent, root, `.${member}/agent`, environment),
    directories: cwds.map(([path]) => path),
    elsewhere: 'in another folder the client offers to fork it',
  }
}
