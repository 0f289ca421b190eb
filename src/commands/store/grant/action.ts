import { counted } from '../../../render/table.ts'
import type { Action } from '../action.ts'

export const grant: Action = {
  examples: [
    {
      command:
        'scrollback store grant --database team --device oak --persons ann --passwords ~/team > oak.sql',
      tells: 'print the SQL for a machine that fills the store with sessions of Ann',
    },
    {
      command: 'scrollback store grant --database team --reader ann --passwords ~/team > ann.sql',
      tells: 'the same for a person who sees their own sessions',
    },
    {
      command:
        'scrollback store grant --database team --reader lead --persons ann,bob --passwords ~/team > lead.sql',
      tells: 'the same for somebody who also sees the sessions of Ann and Bob',
    },
    {
      command: 'scrollback store grant --database team --team web --persons ann,bob > web.sql',
      tells: 'print the SQL that says who is in a team; --reader lead --team web lets somebody read it',
    },
  ],
  takes: ['cluster', 'database', 'device', 'reader', 'persons', 'team', 'admin', 'passwords'],
  async run(given, context) {
    const { grantAnswer } = await import('./grant.ts')
    return grantAnswer(given, context)
  },
  *render({ sql = '', passwords = [] }) {
    yield sql
    if (passwords.length > 0)
      yield `-- ${counted(passwords.length, 'password')}, each in a file of its own:\n`
    for (const { user, file } of passwords) yield `--   ${JSON.stringify(user)} in ${JSON.stringify(file)}\n`
  },
}
