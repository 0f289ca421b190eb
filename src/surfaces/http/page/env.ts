import type { HttpBindings } from '@hono/node-server'

/** What requests carry besides themselves. */
export type Env = { Bindings: HttpBindings }
