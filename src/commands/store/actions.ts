import type { Action } from './action.ts'
import type { ActionName } from './answer.ts'
import { copy } from './copy/action.ts'
import { schema } from './schema/action.ts'

/** Every action by name. */
export const actions: Readonly<Record<ActionName, Action>> = { schema, copy }
