import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { delivery } from './delivery.ts'
import { describe, discover, given, memberOf, refused, roots } from './files.ts'
import { FAMILY, piIdentity, variablesOf } from './identity.ts'
import { knownFields, normalize } from './records/normalize.ts'

export const pi: Platform = {
  id: piIdentity.id,
  identity: piIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields },
  delivery,
  resume,
  restoring: { directories: ['cwd'] },
}

/** A session is found by its id where it ran. Elsewhere the client offers to fork it. */
function resume({ id, root, cwds }: Session, environment: Environment): Resumption {
  const reason = roots(environment).find(({ path }) => path === root)?.reason ?? ''
  const member = memberOf({ path: root, reason })
  const names = variablesOf(member)
  return {
    words: [member, FAMILY[member].resumes, id],
    variables:
      reason === names.sessions
        ? { [names.sessions]: root }
        : variableFor(names.agent, root, `.${member}/agent`, environment),
    directories: cwds.map(([path]) => path),
    elsewhere: 'in another folder the client offers to fork it',
  }
}
