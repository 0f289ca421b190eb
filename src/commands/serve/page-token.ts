import { randomBytes } from 'node:crypto'
import type { Context } from '../kit/context.ts'
import { tokenOf } from '../kit/server.ts'

/** The token of the page. It is stored and reused, so that a bookmark survives a restart. */
export const pageToken = ({ tokenFile }: { tokenFile?: string }, context: Context): string =>
  context.globalFlags?.demo && tokenFile === undefined
    ? randomBytes(32).toString('base64url')
    : tokenOf({ tokenFile }, 'page-token', context).token
