import { ID_FORMS, type PlatformIdentity } from '../../src/platforms/identity.ts'

/** An invented client, which shows what a platform needs: sessions in `~/.fernwood/logs/<id>.jsonl`. */
export const fernwoodIdentity = {
  id: 'fernwood',
  name: 'Fernwood',
  short: 'fernwood',
  prefix: 'fw',
  color: 'greenBright',
  dirName: 'fernwood',
  folder: '.fernwood',
  variables: ['FERNWOOD_HOME'],
  defaultAgent: 'fern',
  manyAgents: false,
  ownFolders: false,
  below: [/^(.*)\/(logs\/.*|names\.jsonl)$/s],
  sessionId: ID_FORMS.word,
  record: {},
  commands: ['fernwood'],
} as const satisfies PlatformIdentity
