import type { Action } from './action.ts'
import type { ActionName } from './answer.ts'
import { copy } from './copy/action.ts'
import { grant } from './grant/action.ts'
import { retain } from './retain/action.ts'
import { schema } from './schema/action.ts'
import { share } from './share/action.ts'
import { unshare } from './unshare/action.ts'

/** Every action by name. */
export const actions: Readonly<Record<ActionName, Action>> = {
  ...{ schema, grant, share, unshare, retain, copy },
}
