import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { FAMILY, MEMBERS, type Member, piFacts } from './record-facts.ts'

/** The variables with a program's folder, and with another one for its sessions. */
export const variablesOf = (member: Member) =>
  ({
    agent: `${member.toUpperCase()}_CODING_AGENT_DIR`,
    sessions: `${member.toUpperCase()}_CODING_AGENT_SESSION_DIR`,
  }) as const

export const piIdentity = {
  ...piFacts,
  name: 'pi',
  tried: '1.6.0',
  short: 'pi',
  prefix: 'pi',
  color: 'magenta',
  dirName: 'pi',
  folder: '.pi',
  variables: MEMBERS.flatMap((member) => Object.values(variablesOf(member))),
  manyAgents: false,
  programs: Object.fromEntries(Object.entries(FAMILY).map(([id, { name }]) => [id, name])),
  below: [/^(.*)\/(sessions\/.*)$/s, /^(.*)\/(\d{4}-\d\d-\d\dT[^/]*\.jsonl)$/s],
  sessionId: ID_FORMS.dottedWord,
  begins: ['pi'],
  skills: true,
} as const satisfies PlatformIdentity
